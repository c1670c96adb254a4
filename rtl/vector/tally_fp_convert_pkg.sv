// SPDX-License-Identifier: Apache-2.0
// Conversions between fp32 and integers, as a function: see tally_fp_convert.
// In a package and not inlined, so that a simulator has one copy of it and not one for each lane.
package tally_fp_convert_pkg;

  function automatic logic [31:0] from_integer(input logic [31:0] a);
    logic [31:0] magnitude;
    logic [4:0] zeros;
    magnitude = a[31] ? -a : a;
    zeros = tally_fp_pkg::leading_zeros32(magnitude);
    magnitude = magnitude << zeros;
    from_integer = a == 0 ? 32'b0 :
        tally_fp_pkg::round_pack(a[31], 9'd158 - 9'(zeros), {magnitude[30:7], magnitude[6:0] != 0});
  endfunction

  // The value rounded to an integer and cut to 2^32 in magnitude, where any sum is out of range.
  function automatic logic signed [34:0] round_to_integer(input logic [31:0] a);
    logic [23:0] significand;
    logic [7:0] exp;
    logic [25:0] shifted;
    logic [32:0] magnitude;
    significand = tally_fp_pkg::significand(a[30:0]);
    exp = tally_fp_pkg::exponent(a[30:23]);
    shifted = '0;
    if (tally_fp_pkg::is_nan(a[30:0]) || exp < 8'd126) begin  // below one half
      magnitude = '0;
    end else if (exp >= 8'd159) begin
      magnitude = 33'h1_0000_0000;
    end else if (exp >= 8'd150) begin
      magnitude = 33'(significand) << (exp - 8'd150);
    end else begin
      shifted = {significand, 2'b0} >> (8'd150 - exp);
      shifted[0] = shifted[0] || ((shifted << (8'd150 - exp)) != {significand, 2'b0});
      magnitude = 33'(shifted[25:2]) + 33'(shifted[1] && (shifted[0] || shifted[2]));
    end
    round_to_integer = a[31] ? -$signed({2'b0, magnitude}) : $signed({2'b0, magnitude});
  endfunction

  function automatic logic signed [34:0] clamp(input logic signed [34:0] value,
                                               input logic signed [34:0] low,
                                               input logic signed [34:0] high);
    clamp = value < low ? low : value > high ? high : value;
  endfunction

  function automatic logic [31:0] convert(input logic [5:0] op, input logic [31:0] a,
                                          input logic [31:0] zero_point);
    /* verilator no_inline_task */
    logic signed [34:0] sum;
    sum = round_to_integer(a) + 35'($signed(zero_point));
    unique case (op)
      tally_isa_pkg::StepI32ToF32: convert = from_integer(a);
      tally_isa_pkg::StepF32ToI8: convert = 32'(clamp(sum, -35'sd128, 35'sd127));
      tally_isa_pkg::StepF32ToU8: convert = 32'(clamp(sum, 35'sd0, 35'sd255));
      default: convert = 32'(clamp(sum, -35'sd2147483648, 35'sd2147483647));  // f32_to_i32
    endcase
  endfunction

endpackage
