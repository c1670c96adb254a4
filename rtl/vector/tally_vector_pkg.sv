// SPDX-License-Identifier: Apache-2.0
// What crosses between the blocks of the vector unit: an issue to the lanes, a write-back, a load.
package tally_vector_pkg;

  // Datapaths of a lane; one of them works for a step.
  typedef struct packed {
    logic pass;  // move, select, add_i32
    logic add;
    logic mul;
    logic compare;
    logic convert;
    logic scale;
  } path_t;

  // The datapath of a step, as bits of path_t; none for load, store, div, sqrt.
  function automatic logic [5:0] path_of(input logic [5:0] op);
    unique case (op)
      tally_isa_pkg::StepMove, tally_isa_pkg::StepSelect, tally_isa_pkg::StepAddI32:
        path_of = 6'b100000;
      tally_isa_pkg::StepAdd, tally_isa_pkg::StepSub, tally_isa_pkg::StepPsumAdd,
      tally_isa_pkg::StepFoldAdd:
        path_of = 6'b010000;
      tally_isa_pkg::StepMul: path_of = 6'b001000;
      tally_isa_pkg::StepMin, tally_isa_pkg::StepMax, tally_isa_pkg::StepAbs,
      tally_isa_pkg::StepNeg, tally_isa_pkg::StepLt, tally_isa_pkg::StepLe, tally_isa_pkg::StepEq,
      tally_isa_pkg::StepPsumMax, tally_isa_pkg::StepFoldMax:
        path_of = 6'b000100;
      tally_isa_pkg::StepI32ToF32, tally_isa_pkg::StepF32ToI32, tally_isa_pkg::StepF32ToI8,
      tally_isa_pkg::StepF32ToU8:
        path_of = 6'b000010;
      tally_isa_pkg::StepScale2: path_of = 6'b000001;
      default: path_of = 6'b000000;
    endcase
  endfunction

  // What all lanes are told in a cycle. Registers are addressed by {register, place}.
  typedef struct packed {
    logic valid;  // a step of the pipeline starts
    logic [5:0] op;
    path_t path;
    logic subtract;
    logic store;  // operand a goes to memory
    logic [5:0] dst;
    logic [5:0] a;
    logic [5:0] b;
    logic a_written;  // a register that was never written reads as zero
    logic b_written;
    logic dst_written;
    logic immediate;
    logic [31:0] imm;
    logic psum;  // operands: partial[slot], a
    logic fold;  // operands: partial[slot], partial[other] or the neighbour's
    logic maximum;  // partials start at -infinity, else at +0
    logic neighbour;
    logic [5:0] slot;
    logic [5:0] other;
    logic divide_start;
    logic divide_step;
    logic divide_last;
  } issue_t;

  localparam int unsigned WriteBits = 9;  // of write_t

  // A result to write: to register `address`, or to partial[address[5:0]].
  typedef struct packed {
    logic valid;
    logic partial;
    logic broadcast;  // lane 0's result goes to all lanes
    logic [5:0] address;
  } write_t;

  // A read whose data come in this cycle.
  typedef struct packed {
    logic valid;
    logic group;   // one element to each lane, else one to all
    logic is_byte;
    logic is_signed;
    logic [5:0] address;  // destination {register, place}
  } load_t;

  // Where a batch stands.
  typedef struct packed {
    logic [15:0] row0;
    logic [15:0] row1;
    logic [15:0] group;
    logic empty;  // nothing left
  } position_t;

endpackage
