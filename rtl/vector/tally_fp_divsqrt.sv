// SPDX-License-Identifier: Apache-2.0
// Iterative fp32 divider and square root: restoring, DivideBits result bits a cycle, rounded once.
//
// `start_i` takes the operands; then ceil(26 / DivideBits) cycles with `step_i`; in the last of them
// (`last_i`) the rounded result is on `result_o`. 26 bits are 24 of significand, a guard bit and one
// for a quotient below 1; what is left of the remainder is the sticky bit.
//
// Both recurrences are one: bring in the next radicand bit(s), subtract the trial value (divisor, or
// 4 x root + 1), keep the difference if it is not negative, and shift its sign into the root.
module tally_fp_divsqrt #(
  parameter int unsigned DivideBits = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic        step_i,
  input  logic        last_i,
  input  logic        sqrt_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);

  localparam int unsigned RootBits = (26 + DivideBits - 1) / DivideBits * DivideBits;
  localparam int unsigned RemainderBits = RootBits + 4;

  logic [RemainderBits-1:0] remainder_q, remainder_d, wide, trial;
  logic [25:0] radicand_q, radicand_d;
  logic [RootBits-1:0] root_q, root_d;
  logic sqrt_q, sign_q, special_q, fits;
  logic signed [11:0] exp_q, exp_a;
  logic [23:0] divisor_q, significand_a;
  logic [31:0] special_value_q;

  always_comb begin
    exp_a = '0;
    significand_a = '0;
    if (start_i) begin
      exp_a = tally_fp_divsqrt_pkg::normal_exponent(a_i[30:0]);
      significand_a = tally_fp_divsqrt_pkg::normalised(a_i[30:0]);
    end
  end

  always_comb begin
    remainder_d = remainder_q;
    radicand_d = radicand_q;
    root_d = root_q;
    wide = '0;
    trial = '0;
    fits = 1'b0;
    if (step_i) begin
      for (int unsigned i = 0; i < DivideBits; i++) begin
        wide = sqrt_q ? {remainder_d[RemainderBits-3:0], radicand_d[25:24]}
                      : {remainder_d[RemainderBits-2:0], radicand_d[25]};
        trial = sqrt_q ? RemainderBits'({root_d, 2'b01}) : RemainderBits'(divisor_q);
        fits = wide >= trial;
        remainder_d = fits ? wide - trial : wide;
        radicand_d = sqrt_q ? radicand_d << 2 : radicand_d << 1;
        root_d = {root_d[RootBits-2:0], fits};
      end
    end
  end

  // Square root of m x 2^e: for odd e the radicand is 2m, so it lies in [1, 4). A biased exponent is
  // odd for even e. A dividend starts half shifted in, its last bit as the first radicand bit.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      remainder_q <= '0;
      radicand_q <= '0;
      root_q <= '0;
      sqrt_q <= 1'b0;
      sign_q <= 1'b0;
      exp_q <= '0;
      divisor_q <= '0;
      special_q <= 1'b0;
      special_value_q <= '0;
    end else if (start_i) begin
      remainder_q <= sqrt_i ? '0 : RemainderBits'(significand_a[23:1]);
      radicand_q <= !sqrt_i ? {significand_a[0], 25'b0} :
                    exp_a[0] ? {1'b0, significand_a, 1'b0} : {significand_a, 2'b0};
      root_q <= '0;
      sqrt_q <= sqrt_i;
      sign_q <= !sqrt_i && a_i[31] != b_i[31];
      exp_q <= sqrt_i ? ((exp_a - 12'sd127) >>> 1) + 12'sd127
                      : exp_a - tally_fp_divsqrt_pkg::normal_exponent(b_i[30:0]) + 12'sd127;
      divisor_q <= tally_fp_divsqrt_pkg::normalised(b_i[30:0]);
      {special_q, special_value_q} <=
          sqrt_i ? tally_fp_divsqrt_pkg::special_sqrt(a_i)
                 : tally_fp_divsqrt_pkg::special_div(a_i, b_i);
    end else if (step_i) begin
      remainder_q <= remainder_d;
      radicand_q <= radicand_d;
      root_q <= root_d;
    end
  end

  always_comb begin
    result_o = '0;
    if (last_i) begin
      result_o = special_q ? special_value_q :
                 tally_fp_divsqrt_pkg::finish(28'(root_d) << (28 - RootBits), remainder_d != 0,
                                              sign_q, exp_q);
    end
  end

endmodule
