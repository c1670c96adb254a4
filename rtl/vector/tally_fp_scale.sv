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

  always_comb begin
    result_o = '0;
    if (enable_i) result_o =
          tally_fp_scale_pkg::scale(a_i & {32{enable_i}}, power_i & {32{enable_i}});
  end

endmodule
