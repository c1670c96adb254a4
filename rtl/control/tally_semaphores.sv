// SPDX-License-Identifier: Apache-2.0
// The 32 semaphores: counts up to 255, taken by starting and posted by ending instructions.
//
// ok_o[u]: every semaphore that the head of unit u's queue waits for has a count of at least 1 at the start of the cycle.
// In a cycle takes precede posts, and posts are made in the order of units; a post that finds the count at 255 leaves it
// and is reported as overflow_o of its unit.
`include "tally_assert.svh"

module tally_semaphores (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic [4:1][17:0]  waits_i,     // slots of the heads
    input  logic [4:1]        start_i,
    input  logic [4:1]        end_i,
    input  logic [4:1][17:0]  posts_i,     // slots of the ending instructions
    output logic [4:1]        ok_o,
    output logic [4:1]        overflow_o,
    output logic [31:0][7:0]  count_o
);
  localparam logic [7:0] Max = 8'(tally_isa_pkg::SemaphoreMax);

  logic [31:0] available_q;  // count is not 0
  logic [31:0] take, available;
  logic [4:1][31:0] wait_mask, post_mask;
  logic [4:1] overflow;
  logic [31:0][7:0] count;
  logic [7:0] unused_error;
  logic change;

  for (genvar u = 1; u <= 4; u++) begin : gen_unit
    tally_slots u_waits (
        .slots_i(waits_i[u]),
        .mask_o(wait_mask[u]),
        .error_o(unused_error[u-1])
    );
    tally_slots u_posts (
        .slots_i(end_i[u] ? posts_i[u] : '0),
        .mask_o(post_mask[u]),
        .error_o(unused_error[u+3])
    );
    assign ok_o[u] = (wait_mask[u] & ~available_q) == '0;
  end

  assign take = (start_i[1] ? wait_mask[1] : '0) | (start_i[2] ? wait_mask[2] : '0)
              | (start_i[3] ? wait_mask[3] : '0) | (start_i[4] ? wait_mask[4] : '0);
  assign change = start_i != '0 || end_i != '0;

  always_comb begin
    count = count_o;
    available = available_q;
    overflow = '0;
    if (change) begin
      for (int unsigned s = 0; s < 32; s++) begin
        if (take[s]) count[s] = count[s] - 8'd1;
        for (int unsigned u = 1; u <= 4; u++) begin
          if (post_mask[u][s] && count[s] == Max) overflow[u] = 1'b1;
          else if (post_mask[u][s]) count[s] = count[s] + 8'd1;
        end
        available[s] = count[s] != '0;
      end
    end
  end

  assign overflow_o = overflow;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_o <= '0;
      available_q <= '0;
    end else if (change) begin
      count_o <= count;
      available_q <= available;
    end
  end

  `TALLY_ASSERT(TakesAreThere, (take & ~available_q) == '0)
endmodule
