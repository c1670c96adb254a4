// SPDX-License-Identifier: Apache-2.0
// fp32 order and sign: min, max, abs, neg, lt, le, eq, and the maximum of partial maxima.
//
// Combinational. Minimum and maximum are NaN if an operand is, and +0 > -0; comparisons give 1.0 or
// +0, with NaN always +0, and -0 equals +0. While `enable_i` is 0 the result is 0.
module tally_fp_compare (
  input  logic        enable_i,
  input  logic [5:0]  op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);

  always_comb begin
    result_o = '0;
    if (enable_i) result_o =
          tally_fp_compare_pkg::compare(op_i, a_i & {32{enable_i}}, b_i & {32{enable_i}});
  end

endmodule
