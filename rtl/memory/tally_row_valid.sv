// SPDX-License-Identifier: Apache-2.0
// Which rows of a bank have been written since reset, so that a reset clears a memory in one cycle.
//
// Two levels: a map of 32 rows a word that is never reset, and one resettable bit for each word of the map.
// Reads are combinational; a row written in t is valid in t + 1.
module tally_row_valid #(
    parameter int unsigned Depth = 64,
    localparam int unsigned RowBits = (Depth > 1) ? $clog2(Depth) : 1
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [RowBits-1:0] rd_row_i,
    output logic               rd_valid_o,
    input  logic               wr_en_i,
    input  logic [RowBits-1:0] wr_row_i,
    output logic               wr_valid_o
);
  localparam int unsigned MapBits = 32;
  localparam int unsigned Words = (Depth + MapBits - 1) / MapBits;
  localparam int unsigned WordBits = (Words > 1) ? $clog2(Words) : 1;

  logic [MapBits-1:0] map_q[Words];
  logic [Words-1:0] used_q;

  logic [WordBits-1:0] rd_word, wr_word;
  logic [4:0] rd_bit, wr_bit;
  logic [MapBits-1:0] rd_map, wr_map;

  assign rd_word = WordBits'(32'(rd_row_i) >> 5);
  assign wr_word = WordBits'(32'(wr_row_i) >> 5);
  assign rd_bit = 5'(rd_row_i);
  assign wr_bit = 5'(wr_row_i);
  assign rd_map = used_q[rd_word] ? map_q[rd_word] : '0;
  assign wr_map = used_q[wr_word] ? map_q[wr_word] : '0;
  assign rd_valid_o = rd_map[rd_bit];
  assign wr_valid_o = wr_map[wr_bit];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) map_q[wr_word] <= wr_map | MapBits'(1) << wr_bit;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= '0;
    else if (wr_en_i) used_q[wr_word] <= 1'b1;
  end
endmodule
