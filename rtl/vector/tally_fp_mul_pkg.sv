// SPDX-License-Identifier: Apache-2.0
// The product of two fp32 values, as a function: see tally_fp_mul.
// In a package and not inlined, so that a simulator has one copy of it and not one for each lane.
package tally_fp_mul_pkg;

  function automatic logic [31:0] mul(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic sign, upper_zero;
    logic [47:0] product;
    logic [4:0] zeros;
    logic signed [11:0] exp;
    sign = a[31] != b[31];
    product = 48'(tally_fp_pkg::significand(a[30:0])) * 48'(tally_fp_pkg::significand(b[30:0]));
    exp = 12'(tally_fp_pkg::exponent(a[30:23])) + 12'(tally_fp_pkg::exponent(b[30:23])) - 12'd126;
    upper_zero = product[47:24] == 0;
    if (upper_zero) product = product << 24;
    zeros = tally_fp_pkg::leading_zeros32({product[47:24], 8'h80});
    product = product << zeros;
    exp = exp - (upper_zero ? 12'sd24 : 12'sd0) - $signed(12'(zeros));
    if (tally_fp_pkg::is_nan(a[30:0]) || tally_fp_pkg::is_nan(b[30:0])) begin
      mul = tally_fp_pkg::Nan;
    end else if (tally_fp_pkg::is_infinite(a[30:0]) || tally_fp_pkg::is_infinite(b[30:0])) begin
      mul = a[30:0] == 0 || b[30:0] == 0 ? tally_fp_pkg::Nan : {sign, tally_fp_pkg::Infinity};
    end else if (product == 0) begin
      mul = {sign, 31'b0};
    end else begin
      mul = tally_fp_pkg::round_normal(sign, exp, {product[47:23], product[22:0] != 0});
    end
  endfunction

endpackage
