// SPDX-License-Identifier: Apache-2.0
// fp32 multiplier: a x b, rounded once to nearest even.
//
// Combinational. The 48-bit product is exact; it is normalised, then rounded. While `enable_i` is 0
// the operands are held at 0 and so is the result.
module tally_fp_mul (
  input  logic        enable_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);

  always_comb begin
    result_o = '0;
    if (enable_i) result_o = tally_fp_mul_pkg::mul(a_i & {32{enable_i}}, b_i & {32{enable_i}});
  end

endmodule
