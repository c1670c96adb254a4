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
    input  tally_pkg::fault_t       fetch_i,
    input  tally_pkg::fault_t       load_i,
    input  tally_pkg::fault_t       store_i,
    input  tally_pkg::fault_t       matrix_i,
    input  tally_pkg::fault_t       vector_i,
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
    first = vector_i;
    unit = tally_isa_pkg::UnitVector;
    if (fetch_i.valid) begin
      first = fetch_i;
      unit = tally_isa_pkg::UnitFetch;
    end else if (load_i.valid) begin
      first = load_i;
      unit = tally_isa_pkg::UnitLoad;
    end else if (store_i.valid) begin
      first = store_i;
      unit = tally_isa_pkg::UnitStore;
    end else if (matrix_i.valid) begin
      first = matrix_i;
      unit = tally_isa_pkg::UnitMatrix;
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
