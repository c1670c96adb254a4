// SPDX-License-Identifier: Apache-2.0
// Encoded instructions with random bits, shared by the tests of all decoders.
#pragma once

#include <random>

#include "compiler/isa/isa.h"

namespace tally::isa {

inline std::uint64_t random_step(std::mt19937_64* random) {
  const StepSpec& spec = kSteps[(*random)() % std::size(kSteps)];
  Step step{.op = StepOp(spec.code)};
  if (spec.dst) step.dst = (*random)() % 8;
  if (spec.a) step.a = (*random)() % 8;
  if (spec.stream) step.stream = (*random)() % 8;
  step.immediate = spec.b && (*random)() % 2;
  if (step.immediate) step.imm = std::uint32_t((*random)());
  if (spec.b && !step.immediate) step.b = (*random)() % 8;
  return encode_step(step);
}

// Random bits in all fields of an instruction, enumerations in range; steps are random bits or
// good.
inline Bytes32 random_instruction(const InstructionSpec& spec, std::mt19937_64* random,
                                  bool good_steps = false) {
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
    if (field.kind == FieldKind::kStep && good_steps) value = random_step(random);
    set_bits(&word, lsb, field.bits, value);
    lsb += field.bits;
  }
  return to_bytes(word);
}

}  // namespace tally::isa
