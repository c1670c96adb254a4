// SPDX-License-Identifier: Apache-2.0
// Reads the program in blocks and offers its instructions in order, one a cycle.
//
// Buffers blocks of BurstBytes, used as a ring. A buffer is taken when its request is raised and free in the cycle after
// its last instruction has left. An instruction whose last byte came in b is offered from b + 1. stop_i: nothing more is
// raised; instructions offered are then left for the dispatcher to refuse.
`include "tally_assert.svh"

module tally_fetch #(
    parameter int unsigned PortBytes = 16,
    parameter int unsigned Buffers = 2,
    parameter int unsigned BurstBytes = 512
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   load_i,  // program address and count, in the cycle before cycle 0
    input  logic [39:0]            program_address_i,
    input  logic [31:0]            instruction_count_i,
    input  logic                   running_i,
    input  logic                   stop_i,
    // Port
    output logic                   raise_o,
    output tally_pkg::burst_t      burst_o,
    input  logic                   request_ready_i,
    input  logic                   accept_i,
    input  logic                   beat_i,
    input  logic [8*PortBytes-1:0] beat_data_i,
    input  logic                   beat_error_i,
    input  logic                   beat_last_i,
    // Instructions
    output logic                   valid_o,
    output tally_pkg::queued_t     instruction_o,
    input  logic                   ready_i,
    // State
    output logic                   outstanding_o,  // a request is raised or a burst is under way
    output logic                   complete_o,     // all instructions have been taken
    output tally_pkg::fault_t      fault_o
);
  localparam int unsigned InstructionBytes = tally_isa_pkg::InstructionBytes;
  localparam int unsigned BlockInstructions = BurstBytes / InstructionBytes;
  localparam int unsigned RowBytes = (PortBytes > InstructionBytes) ? PortBytes : InstructionBytes;
  localparam int unsigned RowInstructions = RowBytes / InstructionBytes;
  localparam int unsigned RowBeats = RowBytes / PortBytes;
  localparam int unsigned BufferRows = Buffers * BurstBytes / RowBytes;
  localparam int unsigned RowBits = $clog2(BufferRows);
  localparam int unsigned CapacityBits = $clog2(Buffers * BlockInstructions + 1);
  localparam int unsigned CountBits = $clog2(Buffers + 1);
  localparam int unsigned BlockBits = $clog2(BlockInstructions);
  localparam int unsigned InstructionIndexBits = RowBits + $clog2(RowInstructions);
  localparam int unsigned BeatIndexBits = RowBits + $clog2(RowBeats);

  logic [39:0] address_q;
  logic [31:0] unrequested_q, undispatched_q, seq_q, arriving_seq_q;
  logic [CountBits-1:0] taken_q, outstanding_q;
  logic [CapacityBits-1:0] available_q;
  logic [31:0] block;  // instructions of the next request
  logic free_block, take;
  logic [BlockBits-1:0] block_position_q;

  assign take = valid_o && ready_i;
  assign block = (unrequested_q < BlockInstructions) ? unrequested_q : BlockInstructions;
  assign raise_o = running_i && !stop_i && unrequested_q != '0 && 32'(taken_q) < Buffers && request_ready_i;
  assign burst_o.addr = address_q;
  assign burst_o.len = 8'((block * InstructionBytes + PortBytes - 1) / PortBytes - 1);
  assign free_block = take && block_position_q == BlockBits'(BlockInstructions - 1);
  assign complete_o = undispatched_q == '0;
  assign valid_o = available_q != '0 && !complete_o;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      address_q <= program_address_i;
      unrequested_q <= instruction_count_i;
      undispatched_q <= instruction_count_i;
      seq_q <= '0;
      arriving_seq_q <= '0;
    end else begin
      if (raise_o) begin
        address_q <= address_q + 40'(BurstBytes);
        unrequested_q <= unrequested_q - block;
      end
      if (take) begin
        undispatched_q <= undispatched_q - 32'd1;
        seq_q <= seq_q + 32'd1;
      end
      if (beat_i && beat_last_i) arriving_seq_q <= arriving_seq_q + BlockInstructions;
    end
  end

  // Buffers: written by beats, read by instructions.
  logic [8*RowBytes-1:0] buffer_q[BufferRows];
  logic [BeatIndexBits-1:0] beat_index_q;
  logic [InstructionIndexBits-1:0] instruction_index_q;
  logic [RowBits-1:0] beat_row, instruction_row;
  logic [8*RowBytes-1:0] row;
  logic row_complete, first_beat_q, requested_q;

  assign beat_row = RowBits'(beat_index_q >> $clog2(RowBeats));
  assign instruction_row = RowBits'(instruction_index_q >> $clog2(RowInstructions));
  assign row_complete = beat_i && 32'(beat_index_q) % RowBeats == RowBeats - 1;

  always_ff @(posedge clk_i) begin
    if (beat_i) begin
      for (int unsigned i = 0; i < RowBeats; i++) begin
        if (32'(beat_index_q) % RowBeats == i) buffer_q[beat_row][i*8*PortBytes+:8*PortBytes] <= beat_data_i;
      end
    end
  end

  assign row = buffer_q[instruction_row];
  assign instruction_o.word = row[(32'(instruction_index_q)%RowInstructions)*256+:256];
  assign instruction_o.seq = seq_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      outstanding_q <= '0;
      requested_q <= 1'b0;
      available_q <= '0;
      block_position_q <= '0;
      beat_index_q <= '0;
      instruction_index_q <= '0;
      first_beat_q <= 1'b1;
    end else begin
      taken_q <= taken_q + CountBits'(raise_o) - CountBits'(free_block);
      if (raise_o) requested_q <= 1'b1;
      else if (accept_i) requested_q <= 1'b0;
      outstanding_q <= outstanding_q + CountBits'(accept_i) - CountBits'(beat_i && beat_last_i);
      available_q <= available_q + (row_complete ? CapacityBits'(RowInstructions) : '0) - CapacityBits'(take);
      if (beat_i) beat_index_q <= beat_index_q + 1'b1;
      if (beat_i) first_beat_q <= beat_last_i;
      if (take) begin
        block_position_q <= block_position_q + 1'b1;
        instruction_index_q <= instruction_index_q + 1'b1;
      end
    end
  end

  assign outstanding_o = requested_q || outstanding_q != '0;
  assign fault_o.valid = beat_i && beat_error_i && first_beat_q;
  assign fault_o.code = tally_pkg::FaultBusError;
  assign fault_o.seq = arriving_seq_q;

  `TALLY_ASSERT_INIT(BlockOfInstructions, BurstBytes >= 2 * InstructionBytes && BurstBytes >= 2 * PortBytes,
                     "a block must hold at least two instructions and two beats")
  `TALLY_ASSERT_INIT(RingOfBlocks, (Buffers & (Buffers - 1)) == 0 && Buffers >= 2,
                     "Buffers must be a power of two, at least 2")
  `TALLY_ASSERT(BeatExpected, beat_i |-> outstanding_q != '0)
endmodule
