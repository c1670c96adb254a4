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
