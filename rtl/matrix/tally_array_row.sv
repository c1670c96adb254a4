// SPDX-License-Identifier: Apache-2.0
// One row of the array: an activation travels through the cells, one a cycle; sums come from the row above.
//
// Wave inputs are by diagonal: bit c is for cell c. In a transposed load all cells take row_weight_i, else each takes
// its column's weight.
module tally_array_row #(
    parameter int unsigned Columns = 16
) (
    input  logic                     clk_i,
    input  logic                     en_i,
    input  logic [Columns-1:0]       load_i,
    input  logic [Columns-1:0]       transposed_i,
    input  logic [Columns-1:0]       swap_i,
    input  logic [7:0]               row_weight_i,
    input  logic [Columns-1:0][7:0]  column_weight_i,
    input  logic [8:0]               activation_i,
    input  logic [Columns-1:0][31:0] sum_i,
    output logic [Columns-1:0][31:0] sum_o
);
  logic [Columns:0][8:0] activation;
  logic unused_last;

  assign activation[0] = activation_i;
  assign unused_last   = &activation[Columns];

  for (genvar c = 0; c < int'(Columns); c++) begin : gen_cell
    tally_array_cell u_cell (
        .clk_i,
        .en_i,
        .load_i(load_i[c]),
        .swap_i(swap_i[c]),
        .weight_i(transposed_i[c] ? row_weight_i : column_weight_i[c]),
        .activation_i(activation[c]),
        .activation_o(activation[c+1]),
        .sum_i(sum_i[c]),
        .sum_o(sum_o[c])
    );
  end
endmodule
