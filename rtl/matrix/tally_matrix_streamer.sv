// SPDX-License-Identifier: Apache-2.0
// Streams the M rows of each loaded tile, one a cycle, and swaps the tile in with its first row.
//
// A tile streams as soon as it is loaded and the one before it has streamed. tile_free_o: the loader may begin another
// tile in this cycle.
module tally_matrix_streamer (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   tile_begin_i,
    input  logic                   tile_end_i,
    input  tally_pkg::tile_t       tile_i,
    output logic                   tile_free_o,
    output logic                   swap_o,
    output logic                   row_valid_o,
    output logic [23:0]            row_address_o,
    output logic                   row_unsigned_o,
    output tally_pkg::accumulate_t row_o
);
  logic waiting_q, loaded_q;  // a tile is loading or loaded and does not stream yet; it is loaded
  tally_pkg::tile_t waiting_tile_q, tile_q, tile;
  logic [15:0] left_q;  // rows of tile_q still to stream

  assign swap_o = loaded_q && left_q == '0;
  assign tile_free_o = !waiting_q || swap_o;
  assign row_valid_o = swap_o || left_q != '0;
  assign tile = swap_o ? waiting_tile_q : tile_q;
  assign row_address_o = tile.a_address;
  assign row_unsigned_o = tile.is_unsigned;

  always_comb begin
    row_o.acc_row = tile.acc_row;
    row_o.add = tile.add;
    row_o.columns = tile.columns;
    row_o.last_k = tile.last_k;
    row_o.ends = tile.last_tile && (swap_o ? tile.m == 16'd1 : left_q == 16'd1);
    row_o.seq = tile.seq;
    row_o.posts = tile.posts;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= 1'b0;
      loaded_q  <= 1'b0;
      left_q    <= '0;
    end else begin
      if (tile_begin_i) waiting_q <= 1'b1;
      else if (swap_o) waiting_q <= 1'b0;
      if (tile_end_i) loaded_q <= 1'b1;
      else if (swap_o) loaded_q <= 1'b0;
      if (swap_o) left_q <= tile.m - 16'd1;
      else if (left_q != '0) left_q <= left_q - 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (tile_begin_i) waiting_tile_q <= tile_i;
  end

  // tile_q moves on by one row with every row.
  always_ff @(posedge clk_i) begin
    if (row_valid_o) begin
      tile_q <= tile;
      tile_q.a_address <= tile.a_address + 24'(tile.a_pitch);
      tile_q.acc_row <= tile.acc_row + tile.acc_m_stride;
    end
  end
endmodule
