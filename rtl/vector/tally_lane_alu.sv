// SPDX-License-Identifier: Apache-2.0
// The combinational part of a lane: one adder, one multiplier, compare, convert, scale, and bits that pass.
//
// At most one path is enabled; the others give 0, so results are joined by OR.
module tally_lane_alu (
  input  logic                    enable_i,
  input  tally_vector_pkg::path_t path_i,
  input  logic [5:0]              op_i,
  input  logic                    subtract_i,
  input  logic [31:0]             x_i,
  input  logic [31:0]             y_i,
  input  logic [31:0]             old_i,  // the destination's value, for select
  output logic [31:0]             result_o
);

  logic [31:0] passed, sum, product, ordered, converted, scaled;

  tally_fp_add u_add (
    .enable_i(enable_i && path_i.add),
    .subtract_i,
    .a_i(x_i),
    .b_i(y_i),
    .result_o(sum)
  );

  tally_fp_mul u_mul (
    .enable_i(enable_i && path_i.mul),
    .a_i(x_i),
    .b_i(y_i),
    .result_o(product)
  );

  tally_fp_compare u_compare (
    .enable_i(enable_i && path_i.compare),
    .op_i,
    .a_i(x_i),
    .b_i(y_i),
    .result_o(ordered)
  );

  tally_fp_convert u_convert (
    .enable_i(enable_i && path_i.convert),
    .op_i,
    .a_i(x_i),
    .zero_point_i(y_i),
    .result_o(converted)
  );

  tally_fp_scale u_scale (
    .enable_i(enable_i && path_i.scale),
    .a_i(x_i),
    .power_i(y_i),
    .result_o(scaled)
  );

  always_comb begin
    passed = '0;
    if (enable_i && path_i.pass) begin
      unique case (op_i)
        tally_isa_pkg::StepSelect: passed = x_i != 0 ? y_i : old_i;
        tally_isa_pkg::StepAddI32: passed = x_i + y_i;
        default: passed = y_i;  // move
      endcase
    end
  end

  assign result_o = passed | sum | product | ordered | converted | scaled;

endmodule
