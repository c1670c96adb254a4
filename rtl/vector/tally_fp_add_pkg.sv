// SPDX-License-Identifier: Apache-2.0
// The sum of two fp32 values, as a function: see tally_fp_add.
// In a package and not inlined, so that a simulator has one copy of it and not one for each lane.
package tally_fp_add_pkg;

  function automatic logic [31:0] add(input logic [31:0] a, input logic [31:0] b);
    /* verilator no_inline_task */
    logic [31:0] x, y;
    logic [7:0] exp, distance;
    logic [4:0] zeros, shift;
    logic [26:0] upper, lower, lower_full;
    logic [27:0] sum;
    logic subtract, normal;
    x = a[30:0] >= b[30:0] ? a : b;  // the larger magnitude
    y = a[30:0] >= b[30:0] ? b : a;
    subtract = x[31] != y[31];
    exp = tally_fp_pkg::exponent(x[30:23]);
    distance = exp - tally_fp_pkg::exponent(y[30:23]);
    upper = {tally_fp_pkg::significand(x[30:0]), 3'b0};
    lower_full = {tally_fp_pkg::significand(y[30:0]), 3'b0};
    if (distance > 8'd27) distance = 8'd27;
    lower = lower_full >> distance;
    lower[0] = lower[0] || ((lower << distance) != lower_full);
    sum = subtract ? {1'b0, upper} - {1'b0, lower} : {1'b0, upper} + {1'b0, lower};
    zeros = tally_fp_pkg::leading_zeros32({sum[26:0], 5'b1_0000});
    normal = 8'(zeros) < exp;
    shift = normal ? zeros : 5'(exp - 8'd1);
    if (x[30:23] == 8'hff) begin
      add = x[22:0] != 0 || (y[30:23] == 8'hff && subtract) ? tally_fp_pkg::Nan : x;
    end else if (sum == 0) begin
      add = {x[31] && y[31], 31'b0};
    end else if (sum[27]) begin
      add = tally_fp_pkg::round_pack(x[31], {1'b0, exp} + 9'd1, {sum[26:3], sum[2:0] != 0});
    end else begin
      sum = sum << shift;
      add = tally_fp_pkg::round_pack(x[31], normal ? {1'b0, exp} - 9'(shift) : 9'd0,
                                     {sum[25:2], sum[1:0] != 0});
    end
  endfunction

endpackage
