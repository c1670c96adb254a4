// SPDX-License-Identifier: Apache-2.0
// One lane: 8 registers for each of the 8 places, its share of the 64 partial sums, one datapath
// pipelined over Latency cycles, and one iterative divider and square root.
//
// A step issued in cycle x reads its operands in x; its result is in the register (or partial sum)
// in x + Latency. A division started in x takes ceil(26 / DivideBits) steps from x + 1 on; its result
// is in the register in the cycle after the last. Data of a load issued in x - 1 come in x and are in
// the register in x + 1. What is never written reads as zero: the issuer says so (`*_written`).
`include "tally_assert.svh"

module tally_lane #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Latency = 4,
  parameter int unsigned DivideBits = 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  tally_vector_pkg::issue_t issue_i,
  input  logic                     active_i,       // this lane takes part in the issue
  input  logic                     x_fresh_i,      // the partial operand is as at the start of a row
  input  logic                     y_fresh_i,      // the same for a fold's second operand
  input  logic [31:0]              neighbour_i,    // a fold's second operand from another lane
  output logic [31:0]              partial_o,      // partial[0], for other lanes
  output logic [31:0]              operand_o,      // operand a of a store
  input  logic                     advance_i,      // something is in the pipeline, or enters it
  input  tally_vector_pkg::write_t write_i,        // at the end of the pipeline
  input  logic                     write_active_i,
  input  logic [31:0]              broadcast_i,
  output logic [31:0]              result_o,       // at the end of the pipeline
  input  logic                     load_active_i,
  input  logic [5:0]               load_address_i,
  input  logic [31:0]              load_data_i
);

  // One piece of C++ for all lanes, not one each.
  /* verilator no_inline_module */

  localparam int unsigned Slots = tally_isa_pkg::PartialSums / Lanes;
  localparam int unsigned SlotBits = Slots > 1 ? $clog2(Slots) : 1;

  logic [31:0] registers_q[64];
  logic [31:0] partials_q[Slots];
  logic [31:0] value_a, value_b, old_value, operand_x, operand_y, identity, computed, quotient;
  logic compute, divide_start, divide_last, write_register;

  assign compute = issue_i.valid && active_i;
  assign divide_start = issue_i.divide_start && active_i;
  assign divide_last = issue_i.divide_last && active_i;

  // Operands. Idle lanes hold zeros.
  always_comb begin
    value_a = '0;
    value_b = '0;
    old_value = '0;
    if (compute || divide_start || (issue_i.store && active_i)) begin
      if (issue_i.a_written) value_a = registers_q[issue_i.a];
      if (issue_i.immediate) value_b = issue_i.imm;
      else if (issue_i.b_written) value_b = registers_q[issue_i.b];
      if (issue_i.dst_written) old_value = registers_q[issue_i.dst];
    end
  end

  always_comb begin
    identity = issue_i.maximum ? tally_fp_pkg::MinusInfinity : '0;
    operand_x = value_a;
    operand_y = value_b;
    if (compute && (issue_i.psum || issue_i.fold)) begin
      operand_x = x_fresh_i ? identity : partials_q[issue_i.slot[SlotBits-1:0]];
      operand_y = issue_i.psum ? value_a :
          y_fresh_i ? identity :
          issue_i.neighbour ? neighbour_i : partials_q[issue_i.other[SlotBits-1:0]];
    end
  end

  assign operand_o = value_a;
  assign partial_o = partials_q[0];

  tally_lane_alu u_alu (
    .enable_i(compute),
    .path_i(issue_i.path),
    .op_i(issue_i.op),
    .subtract_i(issue_i.subtract),
    .x_i(operand_x),
    .y_i(operand_y),
    .old_i(old_value),
    .result_o(computed)
  );

  tally_fp_divsqrt #(.DivideBits(DivideBits)) u_divsqrt (
    .clk_i,
    .rst_ni,
    .start_i(divide_start),
    .step_i(issue_i.divide_step && active_i),
    .last_i(divide_last),
    .sqrt_i(issue_i.op == tally_isa_pkg::StepSqrt),
    .a_i(value_a),
    .b_i(value_b),
    .result_o(quotient)
  );

  // The registers written by `write_i` are the last stage.
  if (Latency == 1) begin : gen_direct
    logic unused;
    assign unused = &{advance_i};
    assign result_o = computed;
  end else begin : gen_stages
    logic [32*(Latency-1)-1:0] stages_q;  // newest lowest
    always_ff @(posedge clk_i) begin
      if (advance_i) stages_q <= (32 * (Latency - 1))'({stages_q, computed});
    end
    assign result_o = stages_q[32*(Latency-1)-1-:32];
  end

  // One write port for results, one for loads. A quotient and a result never come together: a
  // division is the only thing under way.
  assign write_register = (write_i.valid && write_active_i && !write_i.partial) || divide_last;

  always_ff @(posedge clk_i) begin
    if (write_register) begin
      registers_q[divide_last ? issue_i.dst : write_i.address] <=
          divide_last ? quotient : write_i.broadcast ? broadcast_i : result_o;
    end
    if (load_active_i) registers_q[load_address_i] <= load_data_i;
    if (write_i.valid && write_active_i && write_i.partial) begin
      partials_q[write_i.address[SlotBits-1:0]] <= result_o;
    end
  end

  `TALLY_ASSERT(OneResult, !(divide_last && write_i.valid && write_active_i))

endmodule
