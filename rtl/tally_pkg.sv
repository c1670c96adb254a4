// SPDX-License-Identifier: Apache-2.0
// Types that cross between blocks: fault codes, ends of instructions, port requests, counters.
package tally_pkg;

  localparam int unsigned DramAddressBits = 40;
  localparam int unsigned SequenceBits = 32;
  localparam int unsigned CounterBits = 48;
  // A burst crosses no 4 KiB boundary and has at most 256 beats.
  localparam int unsigned PageBytes = 4096;
  localparam int unsigned BurstBeatsMax = 256;

  // Numbers of FaultCode in models/machine/machine.h.
  typedef enum logic [3:0] {
    FaultNone = 4'd0,
    FaultOpcode = 4'd1,
    FaultField = 4'd2,
    FaultRange = 4'd3,
    FaultWaiters = 4'd4,
    FaultConfiguration = 4'd5,
    FaultBusError = 4'd6,
    FaultGatherIndex = 4'd7,
    FaultSemaphoreOverflow = 4'd8
  } fault_e;

  typedef enum logic [1:0] {
    OutcomeFinished = 2'd0,
    OutcomeFault = 2'd1,
    OutcomeDeadlock = 2'd2
  } outcome_e;

  // A fault that happens in this cycle.
  typedef struct packed {
    logic valid;
    fault_e code;
    logic [SequenceBits-1:0] seq;
  } fault_t;

  // An instruction that ends in this cycle, with its three post slots.
  typedef struct packed {
    logic valid;
    logic [SequenceBits-1:0] seq;
    logic [17:0] posts;
  } end_t;

  // An instruction in a queue.
  typedef struct packed {
    logic [SequenceBits-1:0] seq;
    logic [255:0] word;
  } queued_t;

  // A burst that a unit asks for; len is beats - 1.
  typedef struct packed {
    logic [DramAddressBits-1:0] addr;
    logic [7:0] len;
  } burst_t;

  // Where the beats of a load burst go.
  typedef struct packed {
    logic [23:0] address;
    logic space;  // 0 activations, 1 weights
    logic index;  // indices of a gather
    logic zero;   // written as zero
    logic last;   // of the instruction; of its indices
    logic [SequenceBits-1:0] seq;
    logic [17:0] posts;
  } load_burst_t;

  // A burst of the store unit, from its first read to its response.
  typedef struct packed {
    burst_t burst;
    logic last;  // of the instruction
    logic [SequenceBits-1:0] seq;
    logic [17:0] posts;
  } store_burst_t;

  // A weight tile that is loaded or being loaded, and what is streamed through it.
  typedef struct packed {
    logic [15:0] m;
    logic [23:0] a_address;
    logic [19:0] a_pitch;
    logic is_unsigned;
    logic [15:0] acc_row;
    logic [15:0] acc_m_stride;
    logic add;
    logic [8:0] columns;  // that are written
    logic last_k;
    logic last_tile;  // of the instruction
    logic [SequenceBits-1:0] seq;
    logic [17:0] posts;
  } tile_t;

  // What the accumulator stage does with a streamed row.
  typedef struct packed {
    logic [15:0] acc_row;
    logic add;
    logic [8:0] columns;
    logic last_k;
    logic ends;  // the instruction with this row
    logic [SequenceBits-1:0] seq;
    logic [17:0] posts;
  } accumulate_t;

  // What happens in one cycle. By unit: fetch, load, store, matrix, vector; by port user: fetch, load, store; reads by
  // matrix, store, vector; writes by load, vector.
  typedef struct packed {
    logic [4:0] busy;
    logic [4:0] present;  // an instruction is queued or in flight: stalled if not busy
    logic [4:0] started;
    logic streamed;
    logic [2:0] activation_read;
    logic [1:0] activation_write;
    logic [2:0] weight_read;
    logic [1:0] weight_write;
    logic [2:0] accumulator_read;
    logic accumulator_write;
    logic operation;
    logic [5:0] operation_code;
    logic [6:0] operation_count;
    logic [2:0] burst;
    logic [2:0] beat;
  } events_t;

  // Everything that is counted, 48 bits each, least significant first: beats (fetch, load, store), bursts (same),
  // instructions by unit, vector operations by step code, accumulator writes and reads, weight writes and reads,
  // activation writes and reads, multiplications, idle, stalled, busy by unit, cycles.
  typedef struct packed {
    logic [CounterBits-1:0] cycles;
    logic [4:0][CounterBits-1:0] busy;
    logic [4:0][CounterBits-1:0] stalled;
    logic [4:0][CounterBits-1:0] idle;
    logic [CounterBits-1:0] multiplications;
    logic [CounterBits-1:0] activation_reads;
    logic [CounterBits-1:0] activation_writes;
    logic [CounterBits-1:0] weight_reads;
    logic [CounterBits-1:0] weight_writes;
    logic [CounterBits-1:0] accumulator_reads;
    logic [CounterBits-1:0] accumulator_writes;
    logic [31:0][CounterBits-1:0] vector_operations;
    logic [4:0][CounterBits-1:0] instructions;
    logic [2:0][CounterBits-1:0] bursts;
    logic [2:0][CounterBits-1:0] beats;
  } counters_t;

endpackage
