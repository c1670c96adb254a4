// SPDX-License-Identifier: Apache-2.0
// One cell of the weight-stationary array: an 8 x 9-bit multiplier, a 32-bit adder, an active and a shadow weight.
//
// While en_i: activation_o = activation_i and sum_o = sum_i + activation_i x active weight, one cycle later.
// load_i takes weight_i into the shadow, swap_i the shadow into the active weight for the next cycle's product.
module tally_array_cell (
    input  logic               clk_i,
    input  logic               en_i,
    input  logic               load_i,
    input  logic               swap_i,
    input  logic signed [7:0]  weight_i,
    input  logic signed [8:0]  activation_i,
    output logic signed [8:0]  activation_o,
    input  logic signed [31:0] sum_i,
    output logic signed [31:0] sum_o
);
  logic signed [7:0] shadow_q, active_q;

  always_ff @(posedge clk_i) begin
    if (load_i) shadow_q <= weight_i;
  end

  always_ff @(posedge clk_i) begin
    if (swap_i) active_q <= shadow_q;
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      activation_o <= activation_i;
      sum_o <= sum_i + 32'(activation_i) * 32'(active_q);
    end
  end
endmodule
