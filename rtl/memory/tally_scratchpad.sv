// SPDX-License-Identifier: Apache-2.0
// A scratchpad: banks of Width bytes a row, three readers (matrix, store, vector) and two writers (load, vector).
//
// Banks follow each other in the address space. Rows are addressed flat: byte address / Width. A read in t gives the
// row in t + 1. Units that use a bank in the same cycle are a fault of the schedule, which the assertions report.
`include "tally_assert.svh"

module tally_scratchpad #(
    parameter int unsigned Banks = 8,
    parameter int unsigned BankBytes = 1024,
    parameter int unsigned Width = 64,
    localparam int unsigned Depth = BankBytes / Width,
    localparam int unsigned RowBits = $clog2(Banks * Depth)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               matrix_rd_i,
    input  logic [RowBits-1:0] matrix_row_i,
    output logic [8*Width-1:0] matrix_data_o,
    input  logic               store_rd_i,
    input  logic [RowBits-1:0] store_row_i,
    output logic [8*Width-1:0] store_data_o,
    input  logic               vector_rd_i,
    input  logic [RowBits-1:0] vector_row_i,
    output logic [8*Width-1:0] vector_data_o,
    input  logic               load_wr_i,
    input  logic [RowBits-1:0] load_wr_row_i,
    input  logic [Width-1:0]   load_wr_strobe_i,
    input  logic [8*Width-1:0] load_wr_data_i,
    input  logic               vector_wr_i,
    input  logic [RowBits-1:0] vector_wr_row_i,
    input  logic [Width-1:0]   vector_wr_strobe_i,
    input  logic [8*Width-1:0] vector_wr_data_i
);
  localparam int unsigned BankBits = $clog2(Banks);
  localparam int unsigned DepthBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int unsigned DepthShift = $clog2(Depth);

  logic [8*Width-1:0] bank_data[Banks];
  logic [Banks-1:0] matrix_hit, store_hit, vector_hit, load_wr_hit, vector_wr_hit;
  logic [BankBits-1:0] matrix_bank_q, store_bank_q, vector_bank_q;

  assign matrix_hit = Banks'(matrix_rd_i) << BankBits'(matrix_row_i >> DepthShift);
  assign store_hit = Banks'(store_rd_i) << BankBits'(store_row_i >> DepthShift);
  assign vector_hit = Banks'(vector_rd_i) << BankBits'(vector_row_i >> DepthShift);
  assign load_wr_hit = Banks'(load_wr_i) << BankBits'(load_wr_row_i >> DepthShift);
  assign vector_wr_hit = Banks'(vector_wr_i) << BankBits'(vector_wr_row_i >> DepthShift);

  for (genvar b = 0; b < int'(Banks); b++) begin : gen_bank
    logic [DepthBits-1:0] rd_row;
    logic [8*Width-1:0] rd_data;

    assign rd_row = matrix_hit[b] ? DepthBits'(matrix_row_i & RowBits'(Depth - 1))
                  : store_hit[b] ? DepthBits'(store_row_i & RowBits'(Depth - 1)) : DepthBits'(vector_row_i & RowBits'(Depth - 1));

    tally_bank #(
        .Granules(Width),
        .GranuleBits(8),
        .Depth(Depth)
    ) u_bank (
        .clk_i,
        .rst_ni,
        .rd_en_i(matrix_hit[b] | store_hit[b] | vector_hit[b]),
        .rd_row_i(rd_row),
        .rd_data_o(rd_data),
        .wr0_en_i(load_wr_hit[b]),
        .wr0_row_i(DepthBits'(load_wr_row_i & RowBits'(Depth - 1))),
        .wr0_mask_i(load_wr_strobe_i),
        .wr0_data_i(load_wr_data_i),
        .wr1_en_i(vector_wr_hit[b]),
        .wr1_row_i(DepthBits'(vector_wr_row_i & RowBits'(Depth - 1))),
        .wr1_mask_i(vector_wr_strobe_i),
        .wr1_data_i(vector_wr_data_i)
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
