// SPDX-License-Identifier: Apache-2.0
// A stream register: one entry that can be refilled in the cycle in which it is emptied.
//
// ready_o depends on ready_i in the same cycle; tally_fifo breaks that path.
`include "tally_assert.svh"

module tally_register #(
    parameter int unsigned Bits = 8
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            valid_i,
    input  logic [Bits-1:0] data_i,
    output logic            ready_o,
    output logic            valid_o,
    output logic [Bits-1:0] data_o,
    input  logic            ready_i
);
  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) data_o <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (ready_o) valid_o <= valid_i;
  end

  `TALLY_ASSERT_STABLE(OutputStable, valid_o, ready_i, data_o)
endmodule
