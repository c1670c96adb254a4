// SPDX-License-Identifier: Apache-2.0
// One memory bank: one read port, one write port with an enable for each granule; all zero after reset.
//
// A read in t gives rd_data_o from t + 1 until the next read, with the contents at the start of t. The write port is
// shared by two writers of which at most one writes in a cycle; a write in t is seen by a read in t + 1.
`include "tally_assert.svh"

module tally_bank #(
    parameter int unsigned Granules = 64,
    parameter int unsigned GranuleBits = 8,
    parameter int unsigned Depth = 64,
    localparam int unsigned Bits = Granules * GranuleBits,
    localparam int unsigned RowBits = (Depth > 1) ? $clog2(Depth) : 1
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                rd_en_i,
    input  logic [RowBits-1:0]  rd_row_i,
    output logic [Bits-1:0]     rd_data_o,
    input  logic                wr0_en_i,
    input  logic [RowBits-1:0]  wr0_row_i,
    input  logic [Granules-1:0] wr0_mask_i,
    input  logic [Bits-1:0]     wr0_data_i,
    input  logic                wr1_en_i,
    input  logic [RowBits-1:0]  wr1_row_i,
    input  logic [Granules-1:0] wr1_mask_i,
    input  logic [Bits-1:0]     wr1_data_i
);
  logic [Bits-1:0] row_q[Depth];
  logic rd_valid, wr_valid, wr_en;
  logic [RowBits-1:0] wr_row;
  logic [Granules-1:0] wr_mask;
  logic [Bits-1:0] wr_data;

  assign wr_en  = wr0_en_i || wr1_en_i;
  assign wr_row = wr1_en_i ? wr1_row_i : wr0_row_i;
  assign wr_mask = wr1_en_i ? wr1_mask_i : wr0_mask_i;

  tally_row_valid #(
      .Depth(Depth)
  ) u_row_valid (
      .clk_i,
      .rst_ni,
      .rd_row_i,
      .rd_valid_o(rd_valid),
      .wr_en_i(wr_en),
      .wr_row_i(wr_row),
      .wr_valid_o(wr_valid)
  );

  // The old row with the enabled granules replaced; what has never been written is zero.
  always_comb begin
    wr_data = wr1_en_i ? wr1_data_i : wr0_data_i;
    if (wr_en) begin
      for (int unsigned i = 0; i < Granules; i++) begin
        if (!wr_mask[i]) begin
          wr_data[i*GranuleBits+:GranuleBits] = wr_valid ? row_q[wr_row][i*GranuleBits+:GranuleBits] : '0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= rd_valid ? row_q[rd_row_i] : '0;
  end

  always_ff @(posedge clk_i) begin
    if (wr_en) begin
      row_q[wr_row] <= wr_data;
    end
  end

  `TALLY_ASSERT(OneWriter, !(wr0_en_i && wr1_en_i))
endmodule
