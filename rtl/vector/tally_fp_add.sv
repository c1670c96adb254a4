// SPDX-License-Identifier: Apache-2.0
// fp32 adder: a + b, or a - b, rounded once to nearest even.
//
// Combinational. The larger operand stays, the smaller is shifted with guard, round and sticky bits.
// While `enable_i` is 0 the operands are held at 0 and so is the result.
module tally_fp_add (
  input  logic        enable_i,
  input  logic        subtract_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);

  always_comb begin
    result_o = '0;
    if (enable_i) begin
      result_o =
          tally_fp_add_pkg::add(a_i & {32{enable_i}}, (b_i ^ {subtract_i, 31'b0}) & {32{enable_i}});
    end
  end

endmodule
