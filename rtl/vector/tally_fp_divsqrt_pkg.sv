// SPDX-License-Identifier: Apache-2.0
// What division and square root do before and after the iterations: see tally_fp_divsqrt.
// In a package and not inlined, so that a simulator has one copy of it and not one for each lane.
package tally_fp_divsqrt_pkg;

  // Results that need no iteration: {is special, value}.
  function automatic logic [32:0] special_sqrt(input logic [31:0] a);
    /* verilator no_inline_task */
    if (tally_fp_pkg::is_nan(a[30:0])) special_sqrt = {1'b1, tally_fp_pkg::Nan};
    else if (a[30:0] == 0) special_sqrt = {1'b1, a};
    else if (a[31]) special_sqrt = {1'b1, tally_fp_pkg::Nan};
    else special_sqrt = {tally_fp_pkg::is_infinite(a[30:0]), a};
  endfunction

  function automatic logic [32:0] special_div(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic sign, infinite_a, infinite_b, zero_a, zero_b;
    sign = a[31] != b[31];
    infinite_a = tally_fp_pkg::is_infinite(a[30:0]);
    infinite_b = tally_fp_pkg::is_infinite(b[30:0]);
    zero_a = a[30:0] == 0;
    zero_b = b[30:0] == 0;
    if (tally_fp_pkg::is_nan(a[30:0]) || tally_fp_pkg::is_nan(b[30:0]) ||
        (infinite_a && infinite_b) || (zero_a && zero_b)) begin
      special_div = {1'b1, tally_fp_pkg::Nan};
    end else if (infinite_a || zero_b) begin
      special_div = {1'b1, sign, tally_fp_pkg::Infinity};
    end else begin
      special_div = {infinite_b || zero_a, sign, 31'b0};
    end
  endfunction

  function automatic logic [4:0] zeros_of(input logic [30:0] magnitude);
    zeros_of = tally_fp_pkg::leading_zeros32({tally_fp_pkg::significand(magnitude), 8'h80});
  endfunction

  function automatic logic [23:0] normalised(input logic [30:0] magnitude);
    /* verilator no_inline_task */
    normalised = tally_fp_pkg::significand(magnitude) << zeros_of(magnitude);
  endfunction

  function automatic logic signed [11:0] normal_exponent(input logic [30:0] magnitude);
    /* verilator no_inline_task */
    normal_exponent = $signed(12'(tally_fp_pkg::exponent(magnitude[30:23]))) -
                      $signed(12'(zeros_of(magnitude)));
  endfunction

  // The root or quotient lies at the top of 28 bits; `rest`: something remains.
  function automatic logic [31:0] finish(input logic [27:0] root, input logic rest,
                                         input logic sign, input logic signed [11:0] exp);
    /* verilator no_inline_task */
    logic [27:0] normal_root;
    normal_root = root[27] ? root : root << 1;
    finish = tally_fp_pkg::round_normal(sign, exp - $signed({11'b0, !root[27]}),
                                        {normal_root[27:3], normal_root[2:0] != 0 || rest});
  endfunction

endpackage
