// SPDX-License-Identifier: Apache-2.0
// What the lane's fp32 units share: encodings, leading zeros, and the one place that rounds.
//
// IEEE 754 binary32 with subnormals, to nearest, ties to even. All functions are combinational.
package tally_fp_pkg;

  localparam logic [31:0] Nan = 32'h7fff_ffff;  // every arithmetic result that is NaN
  localparam logic [31:0] One = 32'h3f80_0000;
  localparam logic [31:0] MinusInfinity = 32'hff80_0000;
  localparam logic [30:0] Infinity = 31'h7f80_0000;  // without its sign

  function automatic logic is_nan(input logic [30:0] magnitude);
    is_nan = magnitude > Infinity;
  endfunction

  function automatic logic is_infinite(input logic [30:0] magnitude);
    is_infinite = magnitude == Infinity;
  endfunction

  // Hidden bit and fraction; value = significand x 2^(exponent - 150).
  function automatic logic [23:0] significand(input logic [30:0] magnitude);
    significand = {magnitude[30:23] != 0, magnitude[22:0]};
  endfunction

  // Biased exponent; subnormals have that of the smallest normal.
  function automatic logic [7:0] exponent(input logic [7:0] field);
    exponent = field == 0 ? 8'd1 : field;
  endfunction

  // Zeros above the highest one; of 0: 31.
  function automatic logic [4:0] leading_zeros32(input logic [31:0] a);
    logic [31:0] rest;
    leading_zeros32[4] = a[31:16] == 0;
    rest = a << {leading_zeros32[4], 4'b0};
    leading_zeros32[3] = rest[31:24] == 0;
    rest = rest << {leading_zeros32[3], 3'b0};
    leading_zeros32[2] = rest[31:28] == 0;
    rest = rest << {leading_zeros32[2], 2'b0};
    leading_zeros32[1] = rest[31:30] == 0;
    rest = rest << {leading_zeros32[1], 1'b0};
    leading_zeros32[0] = !rest[31];
  endfunction

  // Rounds {fraction, guard, sticky} and puts the result together. `exp` is the biased exponent, 0
  // where the significand's hidden bit is 0; a carry moves into the exponent by itself.
  function automatic logic [31:0] round_pack(input logic sign, input logic [8:0] exp,
                                             input logic [24:0] mantissa);
    logic [31:0] packed_bits;
    logic up;
    up = mantissa[1] && (mantissa[0] || mantissa[2]);
    packed_bits = {exp, mantissa[24:2]} + 32'(up);
    round_pack = packed_bits[31:23] >= 9'd255 ? {sign, Infinity} : {sign, packed_bits[30:0]};
  endfunction

  // The same for a normalised mantissa (top bit 1) and any exponent: subnormal results are shifted
  // into place first, so that there is one rounding.
  function automatic logic [31:0] round_normal(input logic sign, input logic signed [11:0] exp,
                                               input logic [25:0] mantissa);
    logic [11:0] distance;
    logic [25:0] shifted;
    if (exp > 12'sd254) begin
      distance = '0;
      shifted = '0;
      round_normal = {sign, Infinity};
    end else if (exp > 12'sd0) begin
      distance = '0;
      shifted = '0;
      round_normal = round_pack(sign, exp[8:0], mantissa[24:0]);
    end else begin
      distance = 12'sd1 - exp;
      if (distance > 12'd26) distance = 12'd26;
      shifted = mantissa >> distance;
      shifted[0] = shifted[0] || ((shifted << distance) != mantissa);
      round_normal = round_pack(sign, 9'd0, shifted[24:0]);
    end
  endfunction

endpackage
