// SPDX-License-Identifier: Apache-2.0
// A lane with plain ports, so that a C++ bench can load registers, issue steps and read results.
module tally_lane_bench #(
  parameter int unsigned Latency = 4,
  parameter int unsigned DivideBits = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        issue_i,
  input  logic        divide_start_i,
  input  logic        divide_step_i,
  input  logic        divide_last_i,
  input  logic        store_i,
  input  logic [5:0]  op_i,
  input  logic [5:0]  dst_i,
  input  logic [5:0]  a_i,
  input  logic [5:0]  b_i,
  input  logic        immediate_i,
  input  logic [31:0] imm_i,
  input  logic        load_i,
  input  logic [5:0]  load_address_i,
  input  logic [31:0] load_data_i,
  output logic [31:0] operand_o
);

  tally_vector_pkg::issue_t issue;
  tally_vector_pkg::write_t write_now, write_end;
  logic advance_pipe;

  always_comb begin
    issue = '0;
    issue.valid = issue_i;
    issue.op = op_i;
    issue.path = tally_vector_pkg::path_of(op_i);
    issue.subtract = op_i == tally_isa_pkg::StepSub;
    issue.store = store_i;
    issue.dst = dst_i;
    issue.a = a_i;
    issue.b = b_i;
    issue.a_written = 1'b1;
    issue.b_written = 1'b1;
    issue.dst_written = 1'b1;
    issue.immediate = immediate_i;
    issue.imm = imm_i;
    issue.divide_start = divide_start_i;
    issue.divide_step = divide_step_i;
    issue.divide_last = divide_last_i;
    write_now = '0;
    write_now.valid = issue_i;
    write_now.address = dst_i;
  end

  tally_vector_pipe #(.Lanes(1), .Latency(Latency)) u_pipe (
    .clk_i,
    .rst_ni,
    .write_i(write_now),
    .mask_i(1'b1),
    .advance_o(advance_pipe),
    .write_o(write_end),
    .mask_o()
  );

  tally_lane #(.Lanes(64), .Latency(Latency), .DivideBits(DivideBits)) u_lane (
    .clk_i,
    .rst_ni,
    .issue_i(issue),
    .active_i(1'b1),
    .x_fresh_i(1'b0),
    .y_fresh_i(1'b0),
    .neighbour_i(32'b0),
    .partial_o(),
    .operand_o,
    .advance_i(advance_pipe),
    .write_i(write_end),
    .write_active_i(1'b1),
    .broadcast_i(32'b0),
    .result_o(),
    .load_active_i(load_i),
    .load_address_i,
    .load_data_i
  );

endmodule
