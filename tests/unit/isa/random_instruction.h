// SPDX-License-Identifier: Apache-2.0
// Encoded instructions with random bits, shared by the tests of all decoders.
#pragma once

#include <random>

#include "compiler/isa/isa.h"

namespace tally::isa {

// Random bits in all fields of an instruction, enumerations in range.
inline Bytes32 random_instruction(const InstructionSpec& spec, std::mt19937_64* random) {
  Word256 word{};
  set_bits(&word, 0, kOpcodeBits, spec.opcode);
  for (int i = 0; i < 2 * kSlots; ++i)
    if ((*random)() % 2)
      set_bits(&word, kWaitLsb + i * kSlotBits, kSlotBits,
               (1u << kSemaphoreBits) | ((*random)() % 10 * 3 + unsigned(i) % 3));
  int lsb = kPayloadLsb;
  for (const FieldSpec& field : spec.fields) {
    std::uint64_t value = (*random)();
    if (field.kind == FieldKind::kSpace) value %= std::size(kSpaceNames);
    if (field.kind == FieldKind::kElement) value %= std::size(kElementNames);
    if (field.kind == FieldKind::kMode) value %= std::size(kAccumulateModeNames);
    set_bits(&word, lsb, field.bits, value);
    lsb += field.bits;
  }
  return to_bytes(word);
}

}  // namespace tally::isa
