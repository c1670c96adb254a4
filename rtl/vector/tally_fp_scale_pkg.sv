// SPDX-License-Identifier: Apache-2.0
// fp32 x 2^n, as a function: see tally_fp_scale.
// In a package and not inlined, so that a simulator has one copy of it and not one for each lane.
package tally_fp_scale_pkg;

  // No result differs beyond +-300: the range of fp32 is 2^-149 to 2^128.
  function automatic logic signed [11:0] cut(input logic [31:0] power);
    cut = $signed(power) > 32'sd300 ? 12'sd300 :
          $signed(power) < -32'sd300 ? -12'sd300 : $signed(power[11:0]);
  endfunction

  function automatic logic [31:0] scale(input logic [31:0] a, input logic [31:0] power);
    /* verilator no_inline_task */
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

endpackage
