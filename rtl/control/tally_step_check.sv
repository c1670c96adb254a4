// SPDX-License-Identifier: Apache-2.0
// Tells whether 64 bits are a step: a known operation, and zero in every field that it does not use.
module tally_step_check (
    input  logic [63:0] step_i,
    output logic        valid_o
);
  tally_isa_pkg::step_t step;
  tally_isa_pkg::step_use_t has;

  assign step = step_i;
  assign has = tally_isa_pkg::step_use(step.op);
  assign valid_o = has.valid && step.reserved == '0 && (has.dst || step.dst == '0) && (has.a || step.a == '0)
      && (has.b || !step.immediate) && ((has.b && !step.immediate) || step.b == '0)
      && (has.stream || step.stream == '0) && (step.immediate || step.imm == '0);
endmodule
