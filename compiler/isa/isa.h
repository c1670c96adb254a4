// SPDX-License-Identifier: Apache-2.0
// Instructions as C++ values: the typed structs generated from isa_table.h, their encoding to and
// from 32 bytes, and the steps of vector routines.
//
// decode() accepts exactly what encode() makes: unknown opcodes, bits outside all fields and
// enumerations out of range are refused (the `opcode` and `field` faults of docs/timing.md).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <variant>

#include "compiler/isa/gen/instructions.h"
#include "compiler/isa/isa_table.h"
#include "models/base/error.h"

namespace tally::isa {

// One step of a vector routine; fields that its operation does not have are zero.
struct Step {
  StepOp op{};
  std::uint8_t dst = 0, a = 0, b = 0;
  bool immediate = false;  // operand b is `imm`
  std::uint8_t stream = 0;
  std::uint32_t imm = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

std::uint64_t encode_step(const Step& step);
Expected<Step> decode_step(std::uint64_t bits);
const StepSpec& step_spec(StepOp op);

// Semaphores taken at the start and posted at the end; -1: slot not used.
struct Sync {
  std::array<std::int8_t, kSlots> waits{-1, -1, -1};
  std::array<std::int8_t, kSlots> posts{-1, -1, -1};

  friend bool operator==(const Sync&, const Sync&) = default;
};

struct Instruction {
  Sync sync;
  Body body;  // std::variant of the generated structs

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// 256 bits, word 0 the least significant.
using Word256 = std::array<std::uint64_t, 4>;
using Bytes32 = std::array<std::uint8_t, kInstructionBytes>;

Opcode opcode_of(const Instruction& instruction);
Unit unit_of(const Instruction& instruction);
const InstructionSpec& spec_of(Opcode opcode);

Bytes32 encode(const Instruction& instruction);
// What a decoder can refuse by looking at one instruction alone.
enum class DecodeFault : std::uint8_t { kNone, kOpcode, kField };
DecodeFault decode(const Bytes32& bytes, Instruction* out);

// Bits lsb..lsb+bits-1 of a word; bits at most 64.
std::uint64_t get_bits(const Word256& word, int lsb, int bits);
void set_bits(Word256* word, int lsb, int bits, std::uint64_t value);
Word256 to_word(const Bytes32& bytes);
Bytes32 to_bytes(const Word256& word);

}  // namespace tally::isa
