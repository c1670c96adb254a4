// SPDX-License-Identifier: Apache-2.0
// The R x C weight-stationary array with its skew registers; everything moves as a diagonal wave.
//
// A row of activations given in cycle t has its C sums on sum_o in t + R + C - 1, all columns together. swap_i in t
// makes the shadow weights active for the row given in t + 1. Weights: load_i in t starts a tile of which the first
// row (transposed: column) is on weight_i in t, the next in t + 1, and so on; cell (r, c) takes its weight in
// t + r + c. A load may start one cycle after the swap of the tile before it.
//
//   cycle t + r + c        cell (r, c): product of the row given in t; takes its weight of the load started in t
//   cycle t + R + c        sum of column c leaves the last row
//   cycle t + R + C - 1    all sums of the row given in t on sum_o
module tally_array #(
    parameter int unsigned Rows = 16,
    parameter int unsigned Columns = 16,
    localparam int unsigned Widest = (Rows > Columns) ? Rows : Columns
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     en_i,          // sums and activations advance
    input  logic                     swap_i,
    input  logic [Rows-1:0][7:0]     activation_i,
    input  logic                     unsigned_i,    // activations are uint8, else int8
    output logic [Columns-1:0][31:0] sum_o,
    input  logic                     weight_en_i,   // weights advance
    input  logic                     load_i,
    input  logic                     transposed_i,  // of the load that is on weight_i
    input  logic [Widest-1:0][7:0]   weight_i
);
  localparam int unsigned Diagonals = Rows + Columns - 1;

  // Waves; index d is what reaches the cells with r + c = d.
  logic [Diagonals-1:0] swap_wave, load_wave, transposed_wave;
  logic [Diagonals-2:0] swap_q, load_q, transposed_q;

  // Swaps come a cycle before the row they are for, so the wave starts with the input itself.
  assign swap_wave = {swap_q, swap_i};
  assign load_wave = {load_q, load_i};
  assign transposed_wave = {transposed_q, transposed_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      swap_q <= '0;
      load_q <= '0;
    end else begin
      swap_q <= swap_wave[Diagonals-2:0];
      load_q <= load_wave[Diagonals-2:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (weight_en_i) transposed_q <= transposed_wave[Diagonals-2:0];
  end

  // Column weights, row weights and activations wait one more cycle in each column or row.
  logic [Columns-1:0][7:0] column_weight;
  logic [Rows-1:0][7:0] row_weight;
  logic [Rows-1:0][8:0] activation;
  logic [Rows:0][Columns-1:0][31:0] sum;

  assign sum[0] = '0;

  for (genvar c = 0; c < int'(Columns); c++) begin : gen_column
    tally_delay #(
        .Bits(8),
        .Cycles(c)
    ) u_weight_skew (
        .clk_i,
        .en_i(weight_en_i),
        .data_i(weight_i[c]),
        .data_o(column_weight[c])
    );
    tally_delay #(
        .Bits(32),
        .Cycles(int'(Columns) - 1 - c)
    ) u_sum_deskew (
        .clk_i,
        .en_i,
        .data_i(sum[Rows][c]),
        .data_o(sum_o[c])
    );
  end

  for (genvar r = 0; r < int'(Rows); r++) begin : gen_row
    tally_delay #(
        .Bits(8),
        .Cycles(r)
    ) u_weight_skew (
        .clk_i,
        .en_i(weight_en_i),
        .data_i(weight_i[r]),
        .data_o(row_weight[r])
    );
    tally_delay #(
        .Bits(9),
        .Cycles(r)
    ) u_activation_skew (
        .clk_i,
        .en_i,
        .data_i({!unsigned_i && activation_i[r][7], activation_i[r]}),
        .data_o(activation[r])
    );
    tally_array_row #(
        .Columns(Columns)
    ) u_row (
        .clk_i,
        .en_i,
        .load_i(load_wave[r+:Columns]),
        .transposed_i(transposed_wave[r+:Columns]),
        .swap_i(swap_wave[r+:Columns]),
        .row_weight_i(row_weight[r]),
        .column_weight_i(column_weight),
        .activation_i(activation[r]),
        .sum_i(sum[r]),
        .sum_o(sum[r+1])
    );
  end
endmodule
