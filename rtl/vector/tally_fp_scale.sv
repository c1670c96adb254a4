// SPDX-License-Identifier: Apache-2.0
// a x 2^n for any int32 n, rounded once (only a subnormal result can be inexact).
//
// Combinational. While `enable_i` is 0 the result is 0.
module tally_fp_scale (
  input  logic        enable_i,
  input  logic [31:0] a_i,
  input  logic [31:0] power_i,
  output logic [31:0] result_o
);

  // No result differs beyond +-300: the range of fp32 is 2^-149 to 2^128.
  function automatic logic signed [11:0] cut(input logic [31:0] power);
    cut = $signed(power) > 32'sd300 ? 12'sd300 :
          $signed(power) < -32'sd300 ? -12'sd300 : $signed(power[11:0]);
  endfunction

  function automatic logic [31:0] scale(input logic [31:0] a, input logic [31:0] power);
    logic [4:0] zeros;
    logic [23:0] significand;
    logic signed [11:0] exp;
    significand = tally_fp_pkg::significand(a[30:0]);
    zeros = tally_fp_pkg::leading_zeros32({significand, 8'h80});
    significand = significand << zeros;
    exp = $signed(12'(tally_fp_pkg::exponent(a[30:23]))) - $signed(12'(zeros)) + cut(power);
    if (tally_fp_pkg::is_nan(a[30:0])) scale = tally_fp_pkg::Nan;
    else if (tally_fp_pkg::is_infinite(a[30:0]) || a[30:0] == 0) scale = a;
    else scale = tally_fp_pkg::round_normal(a[31], exp, {significand, 2'b0});
  endfunction

  always_comb begin
    result_o = '0;
    if (enable_i) result_o = scale(a_i & {32{enable_i}}, power_i & {32{enable_i}});
  end

endmodule
