// SPDX-License-Identifier: Apache-2.0
// The store DMA: reads bursts into a ring of buffers, asks for each whole burst, sends its beats, waits for its response.
//
// A burst read in r .. r + n - 1 is raised in r + n at the earliest. Its beats are valid from two cycles after its
// acceptance. With the response to its last burst an instruction ends.
`include "tally_assert.svh"

module tally_store #(
    parameter int unsigned PortBytes = 16,
    parameter int unsigned Outstanding = 2,  // burst buffers, a power of two
    parameter int unsigned ScratchpadBytes = 64,
    parameter int unsigned AccumulatorBytes = 64
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            start_i,
    input  tally_pkg::queued_t              head_i,
    input  logic [15:0][39:0]               base_i,
    output logic                            ready_o,
    output tally_pkg::end_t                 end_o,
    output tally_pkg::fault_t               fault_o,
    // Memories
    output logic                            rd_valid_o,
    output logic [1:0]                      rd_space_o,
    output logic [23:0]                     rd_address_o,
    output logic [31:0]                     rd_seq_o,  // of the instruction that reads
    input  logic [8*ScratchpadBytes-1:0]    activation_data_i,
    input  logic [8*ScratchpadBytes-1:0]    weight_data_i,
    input  logic [8*AccumulatorBytes-1:0]   accumulator_data_i,
    // Port
    output logic                            raise_o,
    output tally_pkg::burst_t               burst_o,
    input  logic                            request_ready_i,
    input  logic                            accept_i,
    output logic                            beat_valid_o,
    input  logic                            beat_ready_i,
    output logic [8*PortBytes-1:0]          beat_data_o,
    output logic                            beat_last_o,
    output logic [31:0]                     beat_seq_o,
    input  logic                            response_i,
    input  logic                            response_error_i
);
  localparam int unsigned PageBeats = tally_pkg::PageBytes / PortBytes;
  localparam int unsigned BufferBeats = (PageBeats < tally_pkg::BurstBeatsMax) ? PageBeats : tally_pkg::BurstBeatsMax;
  localparam int unsigned BeatBits = $clog2(BufferBeats);
  localparam int unsigned BufferBits = $clog2(Outstanding);
  localparam int unsigned CountBits = $clog2(Outstanding + 1);

  // Buffers are used as a ring: read into, asked for, sent, answered, each in order.
  logic [CountBits-1:0] used_q, unraised_q, unsent_q;
  logic [BufferBits-1:0] read_buffer_q, raise_buffer_q, send_buffer_q, response_buffer_q;
  tally_pkg::store_burst_t read_burst, raising, sending, answered;
  // Plain bits: Yosys keeps one element of an array of structures.
  logic [$bits(read_burst)-1:0] description_q[Outstanding];

  logic burst_begin, burst_end, send, last_sent;

  tally_store_reader #(
      .PortBytes(PortBytes)
  ) u_reader (
      .clk_i,
      .rst_ni,
      .start_i,
      .head_i,
      .base_i,
      .ready_o,
      .buffer_free_i(32'(used_q) < Outstanding),
      .burst_begin_o(burst_begin),
      .burst_end_o(burst_end),
      .burst_o(read_burst),
      .rd_valid_o,
      .rd_space_o,
      .rd_address_o
  );

  always_ff @(posedge clk_i) begin
    if (burst_begin) description_q[read_buffer_q] <= read_burst;
  end

  assign rd_seq_o = read_burst.seq;
  assign raising = description_q[raise_buffer_q];
  assign sending = description_q[send_buffer_q];
  assign answered = description_q[response_buffer_q];
  assign raise_o = unraised_q != '0 && request_ready_i;
  assign burst_o = raising.burst;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      unraised_q <= '0;
      unsent_q <= '0;
      read_buffer_q <= '0;
      raise_buffer_q <= '0;
      response_buffer_q <= '0;
    end else begin
      used_q <= used_q + CountBits'(burst_begin) - CountBits'(response_i);
      unraised_q <= unraised_q + CountBits'(burst_end) - CountBits'(raise_o);
      unsent_q <= unsent_q + CountBits'(accept_i) - CountBits'(last_sent);
      read_buffer_q <= read_buffer_q + BufferBits'(burst_end);
      raise_buffer_q <= raise_buffer_q + BufferBits'(raise_o);
      response_buffer_q <= response_buffer_q + BufferBits'(response_i);
    end
  end

  // Data of the read before: cut out of the memory's row and written to the buffer.
  localparam int unsigned ScratchpadSegments = ScratchpadBytes / PortBytes;
  localparam int unsigned AccumulatorSegments = AccumulatorBytes / PortBytes;
  localparam int unsigned ScratchpadSegmentBits = (ScratchpadSegments > 1) ? $clog2(ScratchpadSegments) : 1;
  localparam int unsigned AccumulatorSegmentBits = (AccumulatorSegments > 1) ? $clog2(AccumulatorSegments) : 1;

  logic [8*PortBytes-1:0] buffer_q[Outstanding*BufferBeats];
  logic arriving_q;
  logic [1:0] arriving_space_q;
  logic [BufferBits-1:0] arriving_buffer_q;
  logic [BeatBits-1:0] read_beat_q, arriving_beat_q;
  logic [ScratchpadSegmentBits-1:0] scratchpad_segment_q;
  logic [AccumulatorSegmentBits-1:0] accumulator_segment_q;
  logic [8*PortBytes-1:0] arriving;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arriving_q  <= 1'b0;
      read_beat_q <= '0;
    end else begin
      arriving_q <= rd_valid_o;
      if (rd_valid_o) read_beat_q <= burst_end ? '0 : read_beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_valid_o) begin
      arriving_space_q <= rd_space_o;
      arriving_buffer_q <= read_buffer_q;
      arriving_beat_q <= read_beat_q;
      scratchpad_segment_q <= ScratchpadSegmentBits'((32'(rd_address_o) / PortBytes) % ScratchpadSegments);
      accumulator_segment_q <= AccumulatorSegmentBits'((32'(rd_address_o) / PortBytes) % AccumulatorSegments);
    end
  end

  always_comb begin
    arriving = '0;
    if (arriving_q) begin
      unique case (arriving_space_q)
        tally_isa_pkg::SpaceActivations: arriving = activation_data_i[scratchpad_segment_q*8*PortBytes+:8*PortBytes];
        tally_isa_pkg::SpaceWeights: arriving = weight_data_i[scratchpad_segment_q*8*PortBytes+:8*PortBytes];
        default: arriving = accumulator_data_i[accumulator_segment_q*8*PortBytes+:8*PortBytes];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (arriving_q) buffer_q[{arriving_buffer_q, arriving_beat_q}] <= arriving;
  end

  // Sending: beat_data_o holds the beat at (send_buffer_q, send_beat_q) while beat_valid_o.
  logic [BeatBits-1:0] send_beat_q, next_beat;
  logic [BufferBits-1:0] next_buffer;
  logic fetch_beat;

  assign send = beat_valid_o && beat_ready_i;
  assign beat_last_o = 8'(send_beat_q) == sending.burst.len;
  assign beat_seq_o = sending.seq;
  assign last_sent = send && beat_last_o;
  assign next_buffer = send_buffer_q + BufferBits'(last_sent);
  assign next_beat = last_sent ? '0 : send_beat_q + BeatBits'(send);

  // The next beat is that of an accepted burst, and its place is free.
  always_comb begin
    fetch_beat = !beat_valid_o && unsent_q != '0;
    if (send) fetch_beat = !beat_last_o || 32'(unsent_q) > 1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      send_buffer_q <= '0;
      send_beat_q <= '0;
      beat_valid_o <= 1'b0;
    end else begin
      send_buffer_q <= next_buffer;
      send_beat_q <= next_beat;
      if (fetch_beat || send) beat_valid_o <= fetch_beat;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fetch_beat) beat_data_o <= buffer_q[{next_buffer, next_beat}];
  end

  // Responses
  assign end_o.valid = response_i && answered.last;
  assign end_o.seq = answered.seq;
  assign end_o.posts = answered.posts;
  assign fault_o.valid = response_i && response_error_i;
  assign fault_o.code = tally_pkg::FaultBusError;
  assign fault_o.seq = answered.seq;

  logic unused_description;
  assign unused_description = &{1'b0, raising, sending, answered};

  `TALLY_ASSERT_INIT(PowerOfTwo, Outstanding >= 2 && (Outstanding & (Outstanding - 1)) == 0,
                     "Outstanding must be a power of two, at least 2")
  `TALLY_ASSERT(ResponseExpected, response_i |-> used_q != '0)
  `TALLY_ASSERT_STABLE(BeatStable, beat_valid_o, beat_ready_i, beat_data_o)
endmodule
