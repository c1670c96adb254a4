// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of a unit between start and end: in_flight_o is set in the cycles after S up to E.
`include "tally_assert.svh"

module tally_in_flight #(
    parameter int unsigned Bits = 12
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic start_i,
    input  logic end_i,
    output logic in_flight_o
);
  logic [Bits-1:0] count_q;

  assign in_flight_o = count_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (start_i != end_i) count_q <= start_i ? count_q + 1'b1 : count_q - 1'b1;
  end

  `TALLY_ASSERT(EndsWhatStarted, end_i |-> in_flight_o)
  `TALLY_ASSERT(NoOverflow, start_i |-> count_q != '1)
endmodule
