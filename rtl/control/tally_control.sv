// SPDX-License-Identifier: Apache-2.0
// Start and end of a run.
//
// running_o from cycle 0 to T. The run ends in T, the first cycle in which nothing is in flight, dispatched, started or
// raised: finished if every instruction has started, else as the fault that stopped dispatch, else as a deadlock.
module tally_control (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                start_i,
    input  logic                active_i,    // in flight, dispatched, started, raised, or a fault in this cycle
    input  logic                complete_i,  // all is dispatched and no queue has a head
    input  logic                faulty_i,
    output logic                running_o,
    output logic                end_o,       // in cycle T
    output logic                done_o,      // from cycle T
    output tally_pkg::outcome_e outcome_o
);
  logic done_q;

  assign end_o  = running_o && !active_i;
  assign done_o = end_o || done_q;

  always_comb begin
    outcome_o = tally_pkg::OutcomeFinished;
    if (done_o && faulty_i) outcome_o = tally_pkg::OutcomeFault;
    else if (done_o && !complete_i) outcome_o = tally_pkg::OutcomeDeadlock;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_o <= 1'b0;
      done_q <= 1'b0;
    end else begin
      if (start_i && !done_q) running_o <= 1'b1;
      else if (end_o) running_o <= 1'b0;
      if (end_o) done_q <= 1'b1;
    end
  end
endmodule
