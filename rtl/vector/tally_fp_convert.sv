// SPDX-License-Identifier: Apache-2.0
// Conversions: int32 to fp32; fp32 to int32, int8 or uint8 plus an int32 zero point.
//
// Combinational, half to even. To integer: NaN counts as 0, the zero point is added exactly after
// rounding, the sum saturates. While `enable_i` is 0 the result is 0.
module tally_fp_convert (
  input  logic        enable_i,
  input  logic [5:0]  op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] zero_point_i,
  output logic [31:0] result_o
);

  always_comb begin
    result_o = '0;
    if (enable_i) result_o =
          tally_fp_convert_pkg::convert(op_i, a_i & {32{enable_i}}, zero_point_i & {32{enable_i}});
  end

endmodule
