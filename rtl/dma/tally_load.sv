// SPDX-License-Identifier: Apache-2.0
// The load DMA: bursts of loads and gathers, their beats to the scratchpads.
//
// At most Outstanding bursts are between acceptance and last beat. A beat in b is written in b + 1; with its last beat's
// write an instruction ends. A burst refused by the memory and a row whose index is out of range are written as zero.
`include "tally_assert.svh"

module tally_load #(
    parameter int unsigned PortBytes = 16,
    parameter int unsigned Outstanding = 8
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   start_i,
    input  tally_pkg::queued_t     head_i,
    input  logic [15:0][39:0]      base_i,
    output logic                   ready_o,
    output tally_pkg::end_t        end_o,
    output tally_pkg::fault_t      fault_o,
    // Port
    output logic                   raise_o,
    output tally_pkg::burst_t      burst_o,
    input  logic                   request_ready_i,
    input  logic                   accept_i,
    input  logic                   beat_i,
    input  logic [8*PortBytes-1:0] beat_data_i,
    input  logic                   beat_error_i,
    input  logic                   beat_last_i,
    // Scratchpads
    output logic                   wr_valid_o,
    output logic                   wr_space_o,
    output logic [23:0]            wr_address_o,
    output logic [8*PortBytes-1:0] wr_data_o,
    output logic [31:0]            wr_seq_o
);
  localparam int unsigned CountBits = $clog2(Outstanding + 2);

  // Bursts between acceptance and last beat
  logic [CountBits-1:0] outstanding_q;
  logic last_beat, may_raise, generator_valid;
  tally_pkg::load_burst_t raised, arriving;

  assign last_beat = beat_i && beat_last_i;
  assign may_raise = 32'(outstanding_q) + 32'(accept_i) < Outstanding;
  assign raise_o = generator_valid && may_raise && request_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) outstanding_q <= '0;
    else outstanding_q <= outstanding_q + CountBits'(accept_i) - CountBits'(last_beat);
  end

  logic index_start, index_beat, index_bad, index_bad_row;
  logic [6:0] index_rows;
  logic [23:0] index_limit, index_value;
  logic [5:0] index;

  tally_load_generator #(
      .PortBytes(PortBytes)
  ) u_generator (
      .clk_i,
      .rst_ni,
      .start_i,
      .head_i,
      .base_i,
      .ready_o,
      .valid_o(generator_valid),
      .ready_i(may_raise && request_ready_i),
      .burst_o,
      .info_o(raised),
      .index_start_o(index_start),
      .index_rows_o(index_rows),
      .index_limit_o(index_limit),
      .index_done_i(index_beat && arriving.last && beat_last_i),
      .index_o(index),
      .index_value_i(index_value),
      .index_bad_i(index_bad_row)
  );

  logic unused_full, arriving_valid;
  tally_fifo #(
      .Bits($bits(raised)),
      .Depth(Outstanding)
  ) u_bursts (
      .clk_i,
      .rst_ni,
      .push_i(raise_o),
      .data_i(raised),
      .full_o(unused_full),
      .pop_i(last_beat),
      .head_o(arriving),
      .valid_o(arriving_valid)
  );

  // Beats
  logic first_beat_q;
  logic [11:0] offset_q;  // bytes of the burst that have come
  logic [8*PortBytes-1:0] data;

  assign data = beat_error_i ? '0 : beat_data_i;
  assign index_beat = beat_i && arriving.index;

  tally_gather_index #(
      .PortBytes(PortBytes)
  ) u_index (
      .clk_i,
      .rst_ni,
      .start_i(index_start),
      .rows_i(index_rows),
      .limit_i(index_limit),
      .beat_i(index_beat),
      .data_i(data),
      .bad_o(index_bad),
      .index_i(index),
      .value_o(index_value),
      .bad_index_o(index_bad_row)
  );

  always_comb begin
    fault_o.valid = 1'b0;
    fault_o.code = tally_pkg::FaultNone;
    fault_o.seq = arriving.seq;
    if (beat_i && beat_error_i && first_beat_q) begin
      fault_o.valid = 1'b1;
      fault_o.code = tally_pkg::FaultBusError;
    end else if (index_beat && index_bad) begin
      fault_o.valid = 1'b1;
      fault_o.code = tally_pkg::FaultGatherIndex;
    end
  end

  logic ends_q;
  logic [17:0] posts_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_beat_q <= 1'b1;
      offset_q <= '0;
      wr_valid_o <= 1'b0;
    end else begin
      wr_valid_o <= beat_i && !arriving.index;
      if (beat_i) begin
        first_beat_q <= beat_last_i;
        offset_q <= beat_last_i ? '0 : offset_q + 12'(PortBytes);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_i) begin
      wr_space_o <= arriving.space;
      wr_address_o <= arriving.address + 24'(offset_q);
      wr_data_o <= arriving.zero ? '0 : data;
      wr_seq_o <= arriving.seq;
      ends_q <= arriving.last && beat_last_i;
      posts_q <= arriving.posts;
    end
  end

  assign end_o.valid = wr_valid_o && ends_q;
  assign end_o.seq = wr_seq_o;
  assign end_o.posts = posts_q;

  `TALLY_ASSERT(BeatExpected, beat_i |-> arriving_valid)
  `TALLY_ASSERT(WithinOutstanding, 32'(outstanding_q) <= Outstanding)
endmodule
