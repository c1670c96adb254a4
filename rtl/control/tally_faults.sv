// SPDX-License-Identifier: Apache-2.0
// Keeps the first fault of a run: the first in time, in one cycle that of the lowest unit.
//
// stop_o from the cycle of the fault on: nothing more is dispatched or fetched. Inputs are at most one fault a unit and
// cycle, the one with the lowest sequence number.
module tally_faults (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    running_i,
    input  logic [47:0]             cycle_i,
    input  tally_pkg::fault_t [4:0] fault_i,
    output logic                    now_o,  // the first fault is in this cycle
    output logic                    stop_o,
    output tally_pkg::fault_e       code_o,
    output logic [2:0]              unit_o,
    output logic [31:0]             seq_o,
    output logic [47:0]             cycle_o
);
  logic stopped_q;
  tally_pkg::fault_t first;
  logic [2:0] unit;

  always_comb begin
    first = fault_i[0];
    unit = 3'd0;
    for (int unsigned u = 1; u <= 4; u++) begin
      if (!first.valid) begin
        first = fault_i[u];
        unit = 3'(u);
      end
    end
  end

  assign now_o = running_i && first.valid && !stopped_q;
  assign stop_o = stopped_q || now_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stopped_q <= 1'b0;
      code_o <= tally_pkg::FaultNone;
      unit_o <= '0;
      seq_o <= '0;
      cycle_o <= '0;
    end else if (now_o) begin
      stopped_q <= 1'b1;
      code_o <= first.code;
      unit_o <= unit;
      seq_o <= first.seq;
      cycle_o <= cycle_i;
    end
  end
endmodule
