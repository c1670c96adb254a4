// SPDX-License-Identifier: Apache-2.0
// Turns a load or gather into bursts: rows in order, bursts of a row in order.
//
// A gather first asks for its indices, then waits for index_done_i, and asks for row i at the address that index i gives
// (index_o selects it, index_value_i answers in the same cycle). ready_o: the instruction's last burst is raised in this
// cycle, or there is none.
module tally_load_generator #(
    parameter int unsigned PortBytes = 16
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    start_i,
    input  tally_pkg::queued_t      head_i,
    input  logic [15:0][39:0]       base_i,
    output logic                    ready_o,
    // Bursts
    output logic                    valid_o,
    input  logic                    ready_i,
    output tally_pkg::burst_t       burst_o,
    output tally_pkg::load_burst_t  info_o,
    // Indices of a gather
    output logic                    index_start_o,
    output logic [6:0]              index_rows_o,
    output logic [23:0]             index_limit_o,
    input  logic                    index_done_i,
    output logic [5:0]              index_o,
    input  logic [23:0]             index_value_i,
    input  logic                    index_bad_i
);
  // Wide enough for base + offset + index x pitch; what the port cannot address becomes its last page.
  localparam int unsigned AddressBits = 50;

  tally_isa_pkg::load_t load;
  tally_isa_pkg::gather_t gather;
  logic is_gather;

  logic valid_q, gather_q, indices_q, waiting_q, space_q, row_start_q;
  logic [AddressBits-1:0] table_q, row_q, address_q, address, next_row;
  logic [19:0] left_q, row_bytes_q, destination_pitch_q;
  logic [15:0] rows_left_q;
  logic [23:0] pitch_q, destination_row_q, destination_q, next_destination_row;
  logic [31:0] seq_q;
  logic [17:0] posts_q;
  logic raise, last_of_row, last_of_instruction;
  logic [12:0] bytes;

  assign load = tally_isa_pkg::decode_load(head_i.word);
  assign gather = tally_isa_pkg::decode_gather(head_i.word);
  assign is_gather = head_i.word[7:0] == tally_isa_pkg::OpGather;

  // The first burst of a gathered row starts where its index says.
  always_comb begin
    address = address_q;
    if (gather_q && !indices_q && row_start_q) begin
      address = table_q + AddressBits'(48'(index_value_i) * 48'(pitch_q));
    end
  end

  tally_burst #(
      .PortBytes(PortBytes)
  ) u_burst (
      .page_offset_i(address[11:0]),
      .left_bytes_i(left_q),
      .bytes_o(bytes),
      .len_o(burst_o.len),
      .last_o(last_of_row)
  );

  assign valid_o = valid_q && !waiting_q;
  assign raise = valid_o && ready_i;
  assign last_of_instruction = last_of_row && !indices_q && rows_left_q == 16'd1;
  assign ready_o = !valid_q || (raise && last_of_instruction);
  assign burst_o.addr = (address[AddressBits-1:40] != '0) ? {28'hfff_ffff, address[11:0]} : address[39:0];
  assign next_row = row_q + AddressBits'(pitch_q);
  assign next_destination_row = destination_row_q + 24'(destination_pitch_q);

  always_comb begin
    info_o.address = destination_q;
    info_o.space = space_q;
    info_o.index = indices_q;
    info_o.zero = gather_q && !indices_q && index_bad_i;
    info_o.last = indices_q ? last_of_row : last_of_instruction;
    info_o.seq = seq_q;
    info_o.posts = posts_q;
  end

  assign index_start_o = start_i && is_gather;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= 1'b0;
      waiting_q <= 1'b0;
    end else begin
      if (ready_o) valid_q <= start_i;
      if (raise && indices_q && last_of_row) waiting_q <= 1'b1;
      else if (index_done_i) waiting_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      // Fields up to pitch lie alike in both; a gather starts with its indices as one row.
      gather_q <= is_gather;
      indices_q <= is_gather;
      row_start_q <= 1'b1;
      pitch_q <= load.pitch;
      seq_q <= head_i.seq;
      posts_q <= head_i.word[tally_isa_pkg::PostLsb+:18];
      index_o <= '0;
      index_limit_o <= gather.limit;
      index_rows_o <= gather.rows;
      table_q <= AddressBits'(base_i[load.base]) + AddressBits'(load.offset);
      row_q <= AddressBits'(base_i[load.base]) + AddressBits'(load.offset);
      if (is_gather) begin
        address_q <= AddressBits'(base_i[gather.index_base]) + AddressBits'(gather.index_offset);
        left_q <= 20'((32'(gather.rows) * 4 + PortBytes - 1) / PortBytes * PortBytes);
        rows_left_q <= 16'(gather.rows);
        row_bytes_q <= gather.row_bytes;
        space_q <= gather.space[0];
        destination_q <= gather.address;
        destination_row_q <= gather.address;
        destination_pitch_q <= gather.address_pitch;
      end else begin
        address_q <= AddressBits'(base_i[load.base]) + AddressBits'(load.offset);
        left_q <= load.row_bytes;
        rows_left_q <= load.rows;
        row_bytes_q <= load.row_bytes;
        space_q <= load.space[0];
        destination_q <= load.address;
        destination_row_q <= load.address;
        destination_pitch_q <= load.address_pitch;
      end
    end else if (raise && !last_of_row) begin
      address_q <= address + AddressBits'(bytes);
      left_q <= left_q - 20'(bytes);
      row_start_q <= 1'b0;
      if (!indices_q) destination_q <= destination_q + 24'(bytes);
    end else if (raise && indices_q) begin
      indices_q <= 1'b0;
      left_q <= row_bytes_q;
      row_start_q <= 1'b1;
    end else if (raise) begin
      row_q <= next_row;
      address_q <= next_row;
      left_q <= row_bytes_q;
      row_start_q <= 1'b1;
      rows_left_q <= rows_left_q - 16'd1;
      destination_row_q <= next_destination_row;
      destination_q <= next_destination_row;
      index_o <= index_o + 6'd1;
    end
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, head_i.word, load, gather};
endmodule
