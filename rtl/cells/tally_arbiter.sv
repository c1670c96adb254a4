// SPDX-License-Identifier: Apache-2.0
// Fixed priority: grants the lowest requester, one at a time.
//
// While the granted requester is not accepted it keeps the grant, so that what it offers stays stable.
module tally_arbiter #(
    parameter int unsigned Requesters = 2
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [Requesters-1:0] request_i,
    output logic [Requesters-1:0] grant_o,
    input  logic                  accept_i
);
  logic [Requesters-1:0] held_q;

  assign grant_o = (held_q != '0) ? held_q : request_i & (~request_i + 1'b1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= accept_i ? '0 : grant_o;
  end
endmodule
