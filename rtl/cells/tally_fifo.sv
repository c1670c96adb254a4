// SPDX-License-Identifier: Apache-2.0
// A first-in first-out buffer of Depth entries (any Depth) with registered occupancy.
//
// What is pushed in t is at the head in t + 1 at the earliest; a slot freed in t can be filled in t + 1. head_o is the
// oldest entry while valid_o. tally_register is the buffer of one entry that can be refilled while it is emptied.
`include "tally_assert.svh"

module tally_fifo #(
    parameter int unsigned Bits = 8,
    parameter int unsigned Depth = 4
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            push_i,
    input  logic [Bits-1:0] data_i,
    output logic            full_o,
    input  logic            pop_i,
    output logic [Bits-1:0] head_o,
    output logic            valid_o
);
  localparam int unsigned IndexBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam logic [IndexBits-1:0] Last = IndexBits'(Depth - 1);

  logic [Bits-1:0] entry_q[Depth];
  logic [IndexBits-1:0] read_q, write_q;
  logic [CountBits-1:0] count_q;

  assign full_o  = count_q == CountBits'(Depth);
  assign valid_o = count_q != '0;
  assign head_o  = entry_q[read_q];

  always_ff @(posedge clk_i) begin
    if (push_i) entry_q[write_q] <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) write_q <= (write_q == Last) ? '0 : write_q + 1'b1;
      if (pop_i) read_q <= (read_q == Last) ? '0 : read_q + 1'b1;
      if (push_i && !pop_i) count_q <= count_q + 1'b1;
      if (pop_i && !push_i) count_q <= count_q - 1'b1;
    end
  end

  `TALLY_ASSERT_INIT(DepthAtLeastOne, Depth >= 1, "Depth must be at least 1")
  `TALLY_ASSERT(NoOverflow, push_i |-> !full_o)
  `TALLY_ASSERT(NoUnderflow, pop_i |-> valid_o)
endmodule
