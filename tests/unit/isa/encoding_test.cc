// SPDX-License-Identifier: Apache-2.0
// Every instruction and step, with random fields, survives encode-decode; stray bits are refused.
#include <gtest/gtest.h>

#include "tests/unit/isa/random_instruction.h"

namespace tally::isa {
namespace {

TEST(Encoding, EveryInstructionSurvivesDecodeAndEncode) {
  std::mt19937_64 random(1);
  for (const InstructionSpec& spec : kInstructions)
    for (int i = 0; i < 1000; ++i) {
      const Bytes32 bytes = random_instruction(spec, &random);
      Instruction instruction;
      ASSERT_EQ(decode(bytes, &instruction), DecodeFault::kNone) << spec.name;
      ASSERT_EQ(encode(instruction), bytes) << spec.name;
      ASSERT_EQ(unit_of(instruction), spec.unit);
    }
}

TEST(Encoding, BitsOutsideAllFieldsAreRefused) {
  for (const InstructionSpec& spec : kInstructions) {
    int lsb = kPayloadLsb;
    for (const FieldSpec& field : spec.fields) lsb += field.bits;
    for (int bit = lsb; bit < kInstructionBits; ++bit) {
      Word256 word{};
      set_bits(&word, 0, kOpcodeBits, spec.opcode);
      set_bits(&word, bit, 1, 1);
      Instruction instruction;
      EXPECT_EQ(decode(to_bytes(word), &instruction), DecodeFault::kField) << spec.name << bit;
    }
  }
}

TEST(Encoding, UnknownOpcodesAreRefused) {
  int refused = 0;
  for (int opcode = 0; opcode < 256; ++opcode) {
    Bytes32 bytes{};
    bytes[0] = std::uint8_t(opcode);
    Instruction instruction;
    refused += decode(bytes, &instruction) == DecodeFault::kOpcode;
  }
  EXPECT_EQ(refused, 256 - int(std::size(kInstructions)));
}

TEST(Encoding, EveryStepSurvives) {
  std::mt19937 random(2);
  for (const StepSpec& spec : kSteps)
    for (int i = 0; i < 200; ++i) {
      Step step{.op = StepOp(spec.code)};
      if (spec.dst) step.dst = random() % 8;
      if (spec.a) step.a = random() % 8;
      if (spec.stream) step.stream = random() % 8;
      if (spec.b && random() % 2) {
        step.immediate = true;
        step.imm = std::uint32_t(random());
      } else if (spec.b) {
        step.b = random() % 8;
      }
      const auto decoded = decode_step(encode_step(step));
      ASSERT_TRUE(decoded) << decoded.error().message;
      EXPECT_EQ(*decoded, step);
    }
}

TEST(Encoding, StepsWithStrayBitsAreRefused) {
  EXPECT_EQ(decode_step(0).error().message, "step operation 0 is not defined");
  EXPECT_EQ(decode_step(std::uint64_t(StepOp::kAbs) | 1u << kStepBLsb).error().message,
            "step abs has bits in fields that it does not use");
  EXPECT_FALSE(decode_step(std::uint64_t(StepOp::kAdd) | 1u << 20));
  EXPECT_FALSE(decode_step(std::uint64_t(StepOp::kAdd) | 1ULL << 32));
}

}  // namespace
}  // namespace tally::isa
