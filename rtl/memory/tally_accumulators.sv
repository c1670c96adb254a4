// SPDX-License-Identifier: Apache-2.0
// Accumulator memory: banks of one row of Columns int32 words, three readers (matrix, store, vector), written by the
// accumulator stage with an enable for each column.
//
// Rows are addressed flat, banks follow each other. A read in t gives the row in t + 1.
`include "tally_assert.svh"

module tally_accumulators #(
    parameter int unsigned Banks = 8,
    parameter int unsigned BankBytes = 1024,
    parameter int unsigned Columns = 16,
    localparam int unsigned Depth = BankBytes / (4 * Columns),
    localparam int unsigned RowBits = $clog2(Banks * Depth)
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  matrix_rd_i,
    input  logic [RowBits-1:0]    matrix_row_i,
    output logic [32*Columns-1:0] matrix_data_o,
    input  logic                  store_rd_i,
    input  logic [RowBits-1:0]    store_row_i,
    output logic [32*Columns-1:0] store_data_o,
    input  logic                  vector_rd_i,
    input  logic [RowBits-1:0]    vector_row_i,
    output logic [32*Columns-1:0] vector_data_o,
    input  logic                  wr_i,
    input  logic [RowBits-1:0]    wr_row_i,
    input  logic [Columns-1:0]    wr_mask_i,
    input  logic [32*Columns-1:0] wr_data_i
);
  localparam int unsigned BankBits = $clog2(Banks);
  localparam int unsigned DepthBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int unsigned DepthShift = $clog2(Depth);

  logic [32*Columns-1:0] bank_data[Banks];
  logic [Banks-1:0] matrix_hit, store_hit, vector_hit, wr_hit;
  logic [BankBits-1:0] matrix_bank_q, store_bank_q, vector_bank_q;

  assign matrix_hit = Banks'(matrix_rd_i) << BankBits'(matrix_row_i >> DepthShift);
  assign store_hit = Banks'(store_rd_i) << BankBits'(store_row_i >> DepthShift);
  assign vector_hit = Banks'(vector_rd_i) << BankBits'(vector_row_i >> DepthShift);
  assign wr_hit = Banks'(wr_i) << BankBits'(wr_row_i >> DepthShift);

  for (genvar b = 0; b < int'(Banks); b++) begin : gen_bank
    logic [DepthBits-1:0] rd_row;
    logic [32*Columns-1:0] rd_data;

    assign rd_row = matrix_hit[b] ? DepthBits'(matrix_row_i & RowBits'(Depth - 1))
                  : store_hit[b] ? DepthBits'(store_row_i & RowBits'(Depth - 1)) : DepthBits'(vector_row_i & RowBits'(Depth - 1));

    tally_bank #(
        .Granules(Columns),
        .GranuleBits(32),
        .Depth(Depth)
    ) u_bank (
        .clk_i,
        .rst_ni,
        .rd_en_i(matrix_hit[b] | store_hit[b] | vector_hit[b]),
        .rd_row_i(rd_row),
        .rd_data_o(rd_data),
        .wr0_en_i(wr_hit[b]),
        .wr0_row_i(DepthBits'(wr_row_i & RowBits'(Depth - 1))),
        .wr0_mask_i(wr_mask_i),
        .wr0_data_i(wr_data_i),
        .wr1_en_i(1'b0),
        .wr1_row_i('0),
        .wr1_mask_i('0),
        .wr1_data_i('0)
    );

    always_comb bank_data[b] = rd_data;
  end

  always_ff @(posedge clk_i) begin
    if (matrix_rd_i) matrix_bank_q <= BankBits'(matrix_row_i >> DepthShift);
    if (store_rd_i) store_bank_q <= BankBits'(store_row_i >> DepthShift);
    if (vector_rd_i) vector_bank_q <= BankBits'(vector_row_i >> DepthShift);
  end

  assign matrix_data_o = bank_data[matrix_bank_q];
  assign store_data_o  = bank_data[store_bank_q];
  assign vector_data_o = bank_data[vector_bank_q];

  `TALLY_ASSERT(OneReaderABank, ((matrix_hit & store_hit) | (matrix_hit & vector_hit) | (store_hit & vector_hit)) == '0)
endmodule
