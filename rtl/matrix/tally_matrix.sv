// SPDX-License-Identifier: Apache-2.0
// The matrix unit: loader, streamer, array, accumulator stage.
//
// A row streamed in u reads activations in u, enters the array in u + 1 and has its sums in u + R + C; the accumulator
// stage reads the old row in u + R + C - 1 and writes in u + R + C + 1.
`include "tally_assert.svh"

module tally_matrix #(
    parameter int unsigned Rows = 16,
    parameter int unsigned Columns = 16,
    parameter int unsigned Width = 64,
    parameter int unsigned AccumulatorRowBits = 10
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          start_i,
    input  tally_pkg::queued_t            head_i,
    output logic                          ready_o,
    output tally_pkg::end_t               end_o,
    output logic                          busy_o,
    output logic                          streamed_o,  // a row is streamed in this cycle
    // Activation and weight scratchpads
    output logic                          activation_rd_o,
    output logic [23:0]                   activation_address_o,
    input  logic [8*Width-1:0]            activation_data_i,
    output logic                          weight_rd_o,
    output logic [23:0]                   weight_address_o,
    input  logic [8*Width-1:0]            weight_data_i,
    // Accumulator memory
    output logic                          accumulator_rd_o,
    output logic [AccumulatorRowBits-1:0] accumulator_rd_row_o,
    input  logic [32*Columns-1:0]         accumulator_rd_data_i,
    output logic                          accumulator_wr_o,
    output logic [AccumulatorRowBits-1:0] accumulator_wr_row_o,
    output logic [Columns-1:0]            accumulator_wr_mask_o,
    output logic [32*Columns-1:0]         accumulator_wr_data_o,
    output logic                          accumulator_wr_last_k_o,
    output logic [31:0]                   accumulator_wr_seq_o,
    // Instructions that the reads are for
    output logic [31:0]                   activation_seq_o,
    output logic [31:0]                   weight_seq_o,
    output logic [31:0]                   accumulator_rd_seq_o
);
  localparam int unsigned Widest = (Rows > Columns) ? Rows : Columns;
  localparam int unsigned Segments = Width / Rows;
  localparam int unsigned SegmentBits = (Segments > 1) ? $clog2(Segments) : 1;
  // From streaming a row to the accumulator stage's read for it.
  localparam int unsigned Depth = Rows + Columns - 1;

  logic tile_free, tile_begin, tile_end, swap, row_loaded, row_unsigned;
  tally_pkg::tile_t tile;
  tally_pkg::accumulate_t row_streamed, row_done;

  logic weight_en, weight_load, weight_transposed;
  logic [Widest-1:0][7:0] weight;

  tally_matrix_loader #(
      .Rows(Rows),
      .Columns(Columns),
      .Width(Width)
  ) u_loader (
      .clk_i,
      .rst_ni,
      .start_i,
      .head_i,
      .ready_o,
      .tile_free_i(tile_free),
      .tile_begin_o(tile_begin),
      .tile_end_o(tile_end),
      .tile_o(tile),
      .row_o(row_loaded),
      .rd_valid_o(weight_rd_o),
      .rd_address_o(weight_address_o),
      .rd_data_i(weight_data_i),
      .weight_en_o(weight_en),
      .weight_load_o(weight_load),
      .weight_transposed_o(weight_transposed),
      .weight_o(weight)
  );

  tally_matrix_streamer u_streamer (
      .clk_i,
      .rst_ni,
      .tile_begin_i(tile_begin),
      .tile_end_i(tile_end),
      .tile_i(tile),
      .tile_free_o(tile_free),
      .swap_o(swap),
      .row_valid_o(activation_rd_o),
      .row_address_o(activation_address_o),
      .row_unsigned_o(row_unsigned),
      .row_o(row_streamed)
  );

  assign busy_o = row_loaded || activation_rd_o;
  assign streamed_o = activation_rd_o;
  assign activation_seq_o = row_streamed.seq;
  assign weight_seq_o = tile.seq;
  assign accumulator_rd_seq_o = row_done.seq;

  // Rows under way: in_array_q[i] is the row streamed i + 1 cycles ago.
  logic [Depth-1:0] in_array_q;
  logic unsigned_q;
  logic [SegmentBits-1:0] segment_q;
  logic [Rows-1:0][7:0] activation;
  logic [Columns-1:0][31:0] sum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_array_q <= '0;
    else in_array_q <= {in_array_q[Depth-2:0], activation_rd_o};
  end

  always_ff @(posedge clk_i) begin
    if (activation_rd_o) begin
      unsigned_q <= row_unsigned;
      segment_q  <= SegmentBits'((32'(activation_address_o) / Rows) % Segments);
    end
  end

  assign activation = activation_data_i[segment_q*8*Rows+:8*Rows];

  tally_array #(
      .Rows(Rows),
      .Columns(Columns)
  ) u_array (
      .clk_i,
      .rst_ni,
      .en_i(in_array_q != '0),
      .swap_i(swap),
      .activation_i(activation),
      .unsigned_i(unsigned_q),
      .sum_o(sum),
      .weight_en_i(weight_en),
      .load_i(weight_load),
      .transposed_i(weight_transposed),
      .weight_i(weight)
  );

  logic unused_full, unused_valid;
  tally_fifo #(
      .Bits($bits(row_streamed)),
      .Depth(Depth + 1)
  ) u_rows (
      .clk_i,
      .rst_ni,
      .push_i(activation_rd_o),
      .data_i(row_streamed),
      .full_o(unused_full),
      .pop_i(in_array_q[Depth-1]),
      .head_o(row_done),
      .valid_o(unused_valid)
  );

  tally_accumulate #(
      .Columns(Columns),
      .RowBits(AccumulatorRowBits)
  ) u_accumulate (
      .clk_i,
      .rst_ni,
      .row_valid_i(in_array_q[Depth-1]),
      .row_i(row_done),
      .sum_i(sum),
      .rd_valid_o(accumulator_rd_o),
      .rd_row_o(accumulator_rd_row_o),
      .rd_data_i(accumulator_rd_data_i),
      .wr_valid_o(accumulator_wr_o),
      .wr_row_o(accumulator_wr_row_o),
      .wr_mask_o(accumulator_wr_mask_o),
      .wr_data_o(accumulator_wr_data_o),
      .wr_last_k_o(accumulator_wr_last_k_o),
      .wr_seq_o(accumulator_wr_seq_o),
      .end_o
  );
endmodule
