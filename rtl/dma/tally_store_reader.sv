// SPDX-License-Identifier: Apache-2.0
// Reads the bursts of a store from its source memory, one beat a cycle, into burst buffers.
//
// A burst begins when buffer_free_i and is then read without pause; the next one may follow in the next cycle.
// burst_begin_o gives its description, burst_end_o is its last read. ready_o: the instruction's last beat is read in
// this cycle, or there is none.
module tally_store_reader #(
    parameter int unsigned PortBytes = 16
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    start_i,
    input  tally_pkg::queued_t      head_i,
    input  logic [15:0][39:0]       base_i,
    output logic                    ready_o,
    input  logic                    buffer_free_i,
    output logic                    burst_begin_o,
    output logic                    burst_end_o,
    output tally_pkg::store_burst_t burst_o,
    output logic                    rd_valid_o,
    output logic [1:0]              rd_space_o,
    output logic [23:0]             rd_address_o
);
  // What the port cannot address becomes its last page.
  localparam int unsigned AddressBits = 50;

  tally_isa_pkg::store_t store;
  logic valid_q;
  logic [AddressBits-1:0] row_q, address_q, next_row;
  logic [19:0] left_q, row_bytes_q, source_pitch_q;
  logic [15:0] rows_left_q;
  logic [23:0] pitch_q, source_row_q, source_q, next_source_row;
  logic [1:0] space_q;
  logic [31:0] seq_q;
  logic [17:0] posts_q;
  logic [7:0] beat_q;  // of the burst; 0: at a burst's first read
  logic read, last_of_burst, last_of_row;
  logic [12:0] bytes;

  assign store = tally_isa_pkg::decode_store(head_i.word);

  tally_burst #(
      .PortBytes(PortBytes)
  ) u_burst (
      .page_offset_i(address_q[11:0]),
      .left_bytes_i(left_q),
      .bytes_o(bytes),
      .len_o(burst_o.burst.len),
      .last_o(last_of_row)
  );

  assign read = valid_q && (beat_q != '0 || buffer_free_i);
  assign last_of_burst = beat_q == burst_o.burst.len;
  assign next_row = row_q + AddressBits'(pitch_q);
  assign next_source_row = source_row_q + 24'(source_pitch_q);

  assign burst_o.burst.addr = (address_q[AddressBits-1:40] != '0) ? {28'hfff_ffff, address_q[11:0]} : address_q[39:0];
  assign burst_o.last = last_of_row && rows_left_q == 16'd1;
  assign burst_o.seq = seq_q;
  assign burst_o.posts = posts_q;
  assign burst_begin_o = read && beat_q == '0;
  assign burst_end_o = read && last_of_burst;
  assign ready_o = !valid_q || (burst_end_o && burst_o.last);
  assign rd_valid_o = read;
  assign rd_space_o = space_q;
  assign rd_address_o = source_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= start_i;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      row_q <= AddressBits'(base_i[store.base]) + AddressBits'(store.offset);
      address_q <= AddressBits'(base_i[store.base]) + AddressBits'(store.offset);
      left_q <= store.row_bytes;
      row_bytes_q <= store.row_bytes;
      rows_left_q <= store.rows;
      pitch_q <= store.pitch;
      space_q <= store.space;
      source_q <= store.address;
      source_row_q <= store.address;
      source_pitch_q <= store.address_pitch;
      seq_q <= head_i.seq;
      posts_q <= head_i.word[tally_isa_pkg::PostLsb+:18];
      beat_q <= '0;
    end else if (read && !last_of_burst) begin
      beat_q <= beat_q + 8'd1;
      source_q <= source_q + 24'(PortBytes);
    end else if (read && !last_of_row) begin
      beat_q <= '0;
      source_q <= source_q + 24'(PortBytes);
      address_q <= address_q + AddressBits'(bytes);
      left_q <= left_q - 20'(bytes);
    end else if (read) begin
      beat_q <= '0;
      source_q <= next_source_row;
      source_row_q <= next_source_row;
      row_q <= next_row;
      address_q <= next_row;
      left_q <= row_bytes_q;
      rows_left_q <= rows_left_q - 16'd1;
    end
  end

  logic unused_word;
  assign unused_word = &{1'b0, head_i.word};
endmodule
