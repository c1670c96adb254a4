// SPDX-License-Identifier: Apache-2.0
// The instruction set, stated once: every instruction, field, step, encoding and unit.
//
// From this table `tally-isa-gen` writes the C++ structs with their encoder and decoder
// (compiler/isa/gen/), the SystemVerilog package (rtl/gen/tally_isa_pkg.sv) and the manual
// (docs/isa.md). A test regenerates and compares them.
//
// An instruction is 256 bits, bit 0 the least significant bit of byte 0. Bits 0..47 are the same in
// all instructions (opcode, three waits, three posts); the fields of each instruction follow from
// bit 48 in the order listed, without gaps. All bits that no field names must be zero.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tally::isa {

inline constexpr int kInstructionBytes = 32;
inline constexpr int kInstructionBits = 256;
inline constexpr int kOpcodeBits = 8;
inline constexpr int kSlots = 3;  // waits, and posts, of an instruction
inline constexpr int kSemaphores = 32;
inline constexpr int kSemaphoreBits = 5;
inline constexpr int kSlotBits = kSemaphoreBits + 1;  // bit 5: used; bits 4..0: semaphore
inline constexpr int kWaitLsb = kOpcodeBits;
inline constexpr int kPostLsb = kWaitLsb + kSlots * kSlotBits;
inline constexpr int kPayloadLsb = 48;
inline constexpr int kSemaphoreMax = 255;
inline constexpr int kBaseRegisters = 16;
inline constexpr int kStreams = 8;
inline constexpr int kLaneRegisters = 8;
inline constexpr int kRoutineSteps = 256;
inline constexpr int kStepBits = 64;
inline constexpr int kStepsPerInstruction = 3;
inline constexpr int kBatchGroups = 8;
inline constexpr int kPartialSums = 64;
inline constexpr int kGatherRowsMax = 64;

// Units in priority order: of faults in one cycle the lowest counts. Fetch executes none.
enum class Unit : std::uint8_t { kFetch, kLoad, kStore, kMatrix, kVector };
inline constexpr int kUnits = 5;
inline constexpr std::string_view kUnitNames[kUnits] = {"fetch", "load", "store", "matrix",
                                                        "vector"};

enum class Space : std::uint8_t { kActivations, kWeights, kAccumulators };
inline constexpr std::string_view kSpaceNames[] = {"activations", "weights", "accumulators"};

enum class Element : std::uint8_t { kF32, kI32, kI8, kU8 };
inline constexpr std::string_view kElementNames[] = {"f32", "i32", "i8", "u8"};

enum class AccumulateMode : std::uint8_t { kWrite, kAdd };
inline constexpr std::string_view kAccumulateModeNames[] = {"write", "add"};

// How a field is shown in text and typed in C++.
enum class FieldKind : std::uint8_t { kUnsigned, kSigned, kSpace, kElement, kMode, kFlag, kStep };

struct FieldSpec {
  std::string_view name;
  int bits;
  FieldKind kind;
  std::string_view doc;
};

struct InstructionSpec {
  std::string_view name;  // mnemonic, lower case
  std::uint8_t opcode;
  Unit unit;
  std::span<const FieldSpec> fields;
  std::string_view doc;
};

inline constexpr FieldSpec kLoadFields[] = {
    {"base", 4, FieldKind::kUnsigned, "DRAM base register"},
    {"offset", 36, FieldKind::kUnsigned,
     "bytes added to the base register; multiple of the port width"},
    {"pitch", 24, FieldKind::kUnsigned, "DRAM bytes from row to row; multiple of the port width"},
    {"rows", 16, FieldKind::kUnsigned, "rows, at least 1"},
    {"row_bytes", 20, FieldKind::kUnsigned,
     "bytes of a row, at least 1 port width and a multiple of it"},
    {"space", 2, FieldKind::kSpace, "destination scratchpad: activations or weights"},
    {"address", 24, FieldKind::kUnsigned, "destination byte address; multiple of the port width"},
    {"address_pitch", 20, FieldKind::kUnsigned,
     "destination bytes from row to row, at least row_bytes; multiple of the port width"},
};

inline constexpr FieldSpec kGatherFields[] = {
    {"base", 4, FieldKind::kUnsigned, "DRAM base register of the table"},
    {"offset", 36, FieldKind::kUnsigned, "bytes added to it; multiple of the port width"},
    {"pitch", 24, FieldKind::kUnsigned, "table bytes from row to row; multiple of the port width"},
    {"rows", 7, FieldKind::kUnsigned, "rows to gather, 1 to 64"},
    {"row_bytes", 20, FieldKind::kUnsigned,
     "bytes of a row, at least 1 port width and a multiple of it"},
    {"space", 2, FieldKind::kSpace, "destination scratchpad: activations or weights"},
    {"address", 24, FieldKind::kUnsigned, "destination byte address; multiple of the port width"},
    {"address_pitch", 20, FieldKind::kUnsigned,
     "destination bytes from row to row, at least row_bytes; multiple of the port width"},
    {"index_base", 4, FieldKind::kUnsigned, "DRAM base register of the int32 indices"},
    {"index_offset", 36, FieldKind::kUnsigned, "bytes added to it; multiple of the port width"},
    {"limit", 24, FieldKind::kUnsigned,
     "rows of the table, at least 1; an index outside 0..limit-1 is a dynamic fault"},
};

inline constexpr FieldSpec kStoreFields[] = {
    {"base", 4, FieldKind::kUnsigned, "DRAM base register"},
    {"offset", 36, FieldKind::kUnsigned, "bytes added to it; multiple of the port width"},
    {"pitch", 24, FieldKind::kUnsigned,
     "DRAM bytes from row to row, at least row_bytes; multiple of the port width"},
    {"rows", 16, FieldKind::kUnsigned, "rows, at least 1"},
    {"row_bytes", 20, FieldKind::kUnsigned,
     "bytes of a row, at least 1 port width and a multiple of it"},
    {"space", 2, FieldKind::kSpace, "source memory: activations, weights or accumulators"},
    {"address", 24, FieldKind::kUnsigned, "source byte address; multiple of the port width"},
    {"address_pitch", 20, FieldKind::kUnsigned,
     "source bytes from row to row; multiple of the port width"},
};

inline constexpr FieldSpec kMatmulFields[] = {
    {"a_address", 24, FieldKind::kUnsigned,
     "byte address in activations of element (0, 0) of the streamed operand (M, K); multiple of R"},
    {"a_pitch", 20, FieldKind::kUnsigned, "bytes from row to row; multiple of R"},
    {"w_address", 24, FieldKind::kUnsigned,
     "byte address in weights of the stationary operand; multiple of C, transposed of R"},
    {"w_pitch", 20, FieldKind::kUnsigned,
     "bytes from row to row of the stored operand (K, N), transposed (N, K); multiple of C, "
     "transposed of R"},
    {"m", 16, FieldKind::kUnsigned, "rows streamed, at least 1"},
    {"k", 16, FieldKind::kUnsigned, "inner dimension, at least 1"},
    {"n", 16, FieldKind::kUnsigned, "columns, at least 1"},
    {"acc_row", 16, FieldKind::kUnsigned, "accumulator row (C words) of row 0, column tile 0"},
    {"acc_m_stride", 16, FieldKind::kUnsigned, "accumulator rows from row m to m + 1"},
    {"acc_n_stride", 16, FieldKind::kUnsigned, "accumulator rows from one column tile to the next"},
    {"a_unsigned", 1, FieldKind::kFlag, "the streamed operand is uint8, else int8"},
    {"transposed", 1, FieldKind::kFlag, "the stationary operand is stored (N, K)"},
    {"mode", 2, FieldKind::kMode, "first K tile writes or adds; later K tiles add"},
};

inline constexpr FieldSpec kStreamFields[] = {
    {"stream", 3, FieldKind::kUnsigned, "stream register"},
    {"space", 2, FieldKind::kSpace, "memory; accumulators can only be loaded from"},
    {"element", 3, FieldKind::kElement, "element type; accumulators hold i32"},
    {"start", 24, FieldKind::kUnsigned, "address of the first element, in elements"},
    {"stride0", 20, FieldKind::kSigned, "elements per step of extent 0 (outermost)"},
    {"stride1", 20, FieldKind::kSigned, "elements per step of extent 1"},
    {"stride2", 20, FieldKind::kSigned, "elements per step of extent 2 (the row); 0 broadcasts"},
};

inline constexpr FieldSpec kRoutineFields[] = {
    {"first", 8, FieldKind::kUnsigned, "routine address of step 0"},
    {"count", 2, FieldKind::kUnsigned, "steps written, 1 to 3; first + count at most 256"},
    {"step0", 64, FieldKind::kStep, "step"},
    {"step1", 64, FieldKind::kStep, "step; zero if not written"},
    {"step2", 64, FieldKind::kStep, "step; zero if not written"},
};

inline constexpr FieldSpec kRunFields[] = {
    {"first", 8, FieldKind::kUnsigned, "routine address of the first step"},
    {"last", 8, FieldKind::kUnsigned, "routine address of the last step, at least first"},
    {"extent0", 16, FieldKind::kUnsigned, "outermost extent, at least 1"},
    {"extent1", 16, FieldKind::kUnsigned, "middle extent, at least 1"},
    {"extent2", 16, FieldKind::kUnsigned, "elements of a row, at least 1"},
    {"increment0", 18, FieldKind::kSigned, "elements added to the start of stream 0 after the run"},
    {"increment1", 18, FieldKind::kSigned, "the same for stream 1"},
    {"increment2", 18, FieldKind::kSigned, "the same for stream 2"},
    {"increment3", 18, FieldKind::kSigned, "the same for stream 3"},
    {"increment4", 18, FieldKind::kSigned, "the same for stream 4"},
    {"increment5", 18, FieldKind::kSigned, "the same for stream 5"},
    {"increment6", 18, FieldKind::kSigned, "the same for stream 6"},
    {"increment7", 18, FieldKind::kSigned, "the same for stream 7"},
};

inline constexpr InstructionSpec kInstructions[] = {
    {"load", 0x10, Unit::kLoad, kLoadFields, "Copies rows of bytes from DRAM to a scratchpad."},
    {"gather", 0x11, Unit::kLoad, kGatherFields,
     "Reads `rows` int32 indices from DRAM, then copies row index[i] of a DRAM table to row i of "
     "the "
     "destination."},
    {"store", 0x20, Unit::kStore, kStoreFields,
     "Copies rows of bytes from an on-chip memory to DRAM."},
    {"matmul", 0x30, Unit::kMatrix, kMatmulFields,
     "Streams M rows through the weight-stationary array for every column tile (outermost) and K "
     "tile: "
     "acc[acc_row + m*acc_m_stride + (n/C)*acc_n_stride][n mod C] (+)= sum over k of "
     "a[m][k]*w[k][n]. "
     "Rows of w beyond K read as zero; columns beyond N are not written."},
    {"stream", 0x40, Unit::kVector, kStreamFields,
     "Sets one stream register; it stays until set again."},
    {"routine", 0x41, Unit::kVector, kRoutineFields,
     "Writes one to three steps to routine memory."},
    {"run", 0x42, Unit::kVector, kRunFields,
     "Runs the steps first..last over extent0 x extent1 rows of extent2 elements, then adds the "
     "increments to the streams' starts."},
};

// Which operands a step has. Fields a step does not have must be zero.
struct StepSpec {
  std::string_view name;
  std::uint8_t code;
  bool dst, a, b, stream;
  std::string_view doc;
};

inline constexpr StepSpec kSteps[] = {
    {"load", 1, true, false, false, true,
     "d = element of the stream; integers extended to int32, not converted"},
    {"store", 2, false, true, false, true,
     "element of the stream = a; byte elements take the low byte"},
    {"move", 3, true, false, true, false, "d = b, bits kept"},
    {"add", 4, true, true, true, false, "d = a + b, fp32"},
    {"sub", 5, true, true, true, false, "d = a - b, fp32"},
    {"mul", 6, true, true, true, false, "d = a * b, fp32"},
    {"div", 7, true, true, true, false, "d = a / b, fp32, iterative"},
    {"sqrt", 8, true, true, false, false, "d = square root of a, fp32, iterative"},
    {"min", 9, true, true, true, false, "d = minimum, NaN if an operand is NaN, -0 < +0"},
    {"max", 10, true, true, true, false, "d = maximum, NaN if an operand is NaN, +0 > -0"},
    {"abs", 11, true, true, false, false, "d = |a|; NaN becomes the canonical NaN"},
    {"neg", 12, true, true, false, false, "d = -a; NaN becomes the canonical NaN"},
    {"lt", 13, true, true, true, false, "d = a < b ? 1.0 : +0"},
    {"le", 14, true, true, true, false, "d = a <= b ? 1.0 : +0"},
    {"eq", 15, true, true, true, false, "d = a == b ? 1.0 : +0"},
    {"select", 16, true, true, true, false, "d = any bit of a is set ? b : d, bits kept"},
    {"scale2", 17, true, true, true, false, "d = a * 2^b with b int32, one rounding"},
    {"i32_to_f32", 18, true, true, false, false, "d = fp32 of int32 a, half to even"},
    {"f32_to_i32", 19, true, true, true, false,
     "d = int32 of a half to even, plus int32 b exactly, saturated"},
    {"f32_to_i8", 20, true, true, true, false, "the same, saturated to -128..127"},
    {"f32_to_u8", 21, true, true, true, false, "the same, saturated to 0..255"},
    {"add_i32", 22, true, true, true, false, "d = a + b, int32, wrapping"},
    {"psum_add", 23, false, true, false, false,
     "partial sum [i mod 64] += a, from +0 at the start of a row"},
    {"psum_max", 24, false, true, false, false,
     "partial maximum [i mod 64] = max(.., a), from -infinity at the start of a row"},
    {"fold_add", 25, true, false, false, false,
     "d = sum of the 64 partial sums by halving, in all lanes"},
    {"fold_max", 26, true, false, false, false,
     "d = maximum of the 64 partial maxima by halving, in all lanes"},
};

// Bits of a step.
inline constexpr int kStepOpLsb = 0, kStepOpBits = 6;
inline constexpr int kStepDstLsb = 6, kStepALsb = 9, kStepBLsb = 12, kStepRegisterBits = 3;
inline constexpr int kStepImmediateFlagLsb = 15;  // operand b is the immediate, not a register
inline constexpr int kStepStreamLsb = 16, kStepStreamBits = 3;
inline constexpr int kStepImmediateLsb = 32;

}  // namespace tally::isa
