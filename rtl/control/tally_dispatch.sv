// SPDX-License-Identifier: Apache-2.0
// Moves instructions, in program order and one a cycle, from fetch to the queue of their unit.
//
// Stops at the first static fault (also a semaphore waited for by a second unit, and a program made for another
// design), and while stop_i. The faulty instruction is not dispatched.
module tally_dispatch #(
    parameter int unsigned Rows = 16,
    parameter int unsigned Columns = 16,
    parameter int unsigned ActivationBytes = 262144,
    parameter int unsigned WeightBytes = 262144,
    parameter int unsigned AccumulatorBytes = 65536,
    parameter int unsigned PortBytes = 16
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                running_i,
    input  logic                stop_i,
    input  logic                wrong_design_i,
    input  logic                valid_i,
    input  tally_pkg::queued_t  instruction_i,
    output logic                ready_o,
    input  logic [4:1]          full_i,
    output logic [4:1]          push_o,
    output logic                found_o,  // a static fault, whether or not dispatch is stopped
    output tally_pkg::fault_t   fault_o
);
  tally_pkg::fault_e decode_fault;
  logic [4:1] unit;
  logic [31:0] waits, waited_elsewhere;
  logic [4:1][31:0] waiters_q;  // semaphores that each unit waits for so far

  tally_decoder #(
      .Rows(Rows),
      .Columns(Columns),
      .ActivationBytes(ActivationBytes),
      .WeightBytes(WeightBytes),
      .AccumulatorBytes(AccumulatorBytes),
      .PortBytes(PortBytes)
  ) u_decoder (
      .valid_i,
      .word_i(instruction_i.word),
      .unit_o(unit),
      .waits_o(waits),
      .fault_o(decode_fault)
  );


  always_comb begin
    waited_elsewhere = '0;
    for (int unsigned u = 1; u <= 4; u++) begin
      if (!unit[u]) waited_elsewhere = waited_elsewhere | waiters_q[u];
    end
  end

  always_comb begin
    fault_o.valid = 1'b0;
    fault_o.code = tally_pkg::FaultNone;
    fault_o.seq = instruction_i.seq;
    if (running_i && wrong_design_i) begin
      fault_o.valid = 1'b1;
      fault_o.code = tally_pkg::FaultConfiguration;
      fault_o.seq = '0;
    end else if (running_i && valid_i && decode_fault != tally_pkg::FaultNone) begin
      fault_o.valid = 1'b1;
      fault_o.code = decode_fault;
    end else if (running_i && valid_i && (waits & waited_elsewhere) != '0) begin
      fault_o.valid = 1'b1;
      fault_o.code = tally_pkg::FaultWaiters;
    end
  end

  assign found_o = fault_o.valid;
  assign push_o  = (running_i && valid_i && !stop_i && !found_o) ? unit & ~full_i : '0;
  assign ready_o = push_o != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiters_q <= '0;
    end else if (ready_o) begin
      for (int unsigned u = 1; u <= 4; u++) begin
        if (push_o[u]) waiters_q[u] <= waiters_q[u] | waits;
      end
    end
  end
endmodule
