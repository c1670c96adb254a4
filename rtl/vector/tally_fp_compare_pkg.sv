// SPDX-License-Identifier: Apache-2.0
// Order and sign of fp32 values, as a function: see tally_fp_compare.
// In a package and not inlined, so that a simulator has one copy of it and not one for each lane.
package tally_fp_compare_pkg;

  // Sign and magnitude as an unsigned number in the order of fp32, -0 just below +0.
  function automatic logic [31:0] order(input logic [31:0] a);
    order = a[31] ? ~a : {1'b1, a[30:0]};
  endfunction

  function automatic logic [31:0] compare(input logic [5:0] op, input logic [31:0] a,
                                          input logic [31:0] b);
    /* verilator no_inline_task */
    logic nan_a, nan, less, zeros;
    nan_a = tally_fp_pkg::is_nan(a[30:0]);
    nan = nan_a || tally_fp_pkg::is_nan(b[30:0]);
    less = order(a) < order(b);
    zeros = a[30:0] == 0 && b[30:0] == 0;
    unique case (op)
      tally_isa_pkg::StepMin: compare = nan ? tally_fp_pkg::Nan : less ? a : b;
      tally_isa_pkg::StepAbs: compare = nan_a ? tally_fp_pkg::Nan : {1'b0, a[30:0]};
      tally_isa_pkg::StepNeg: compare = nan_a ? tally_fp_pkg::Nan : {!a[31], a[30:0]};
      tally_isa_pkg::StepLt: compare = !nan && less && !zeros ? tally_fp_pkg::One : 32'b0;
      tally_isa_pkg::StepLe:
        compare = !nan && (less || a == b || zeros) ? tally_fp_pkg::One : 32'b0;
      tally_isa_pkg::StepEq: compare = !nan && (a == b || zeros) ? tally_fp_pkg::One : 32'b0;
      default: compare = nan ? tally_fp_pkg::Nan : less ? b : a;  // max, psum_max, fold_max
    endcase
  endfunction

endpackage
