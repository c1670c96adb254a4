// SPDX-License-Identifier: Apache-2.0
// The generated SystemVerilog package and tally_decoder on the vectors of the encoder's own test:
// every field, the unit, the semaphores waited for, and the fault that the bits alone show.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "compiler/program/check.h"
#include "decoder_top.h"
#include "tests/support/designs.h"
#include "tests/unit/isa/random_instruction.h"

namespace tally {
namespace {

using isa::Bytes32;

class Decoder : public testing::Test {
 protected:
  void decode(const Bytes32& bytes) {
    std::memcpy(&top_.word_i[0], bytes.data(), bytes.size());
    top_.eval();
  }

  // What the static check says of the instruction alone.
  FaultCode expected(const Bytes32& bytes) const {
    return find_static_fault({&bytes, 1}, hash_, design_).code;
  }

  const Design design_ = *find_design("base", TALLY_SOURCE_DIR "/designs");
  const std::uint64_t hash_ = design_.hash();
  decoder_top top_;
};

TEST_F(Decoder, FieldsUnitAndWaitsOfEveryInstruction) {
  std::mt19937_64 random(1);
  int first_field = 0;
  for (const isa::InstructionSpec& spec : isa::kInstructions) {
    for (int i = 0; i < 1000; ++i) {
      const Bytes32 bytes = isa::random_instruction(spec, &random);
      decode(bytes);
      const isa::Word256 word = isa::to_word(bytes);
      int lsb = isa::kPayloadLsb, index = first_field;
      for (const isa::FieldSpec& field : spec.fields) {
        ASSERT_EQ(top_.fields_o[index++], isa::get_bits(word, lsb, field.bits))
            << spec.name << " " << field.name;
        lsb += field.bits;
      }
      isa::Instruction instruction;
      ASSERT_EQ(isa::decode(bytes, &instruction), isa::DecodeFault::kNone);
      std::uint32_t waits = 0;
      for (const int wait : instruction.sync.waits)
        if (wait >= 0) waits |= 1u << wait;
      ASSERT_EQ(top_.waits_o, waits) << spec.name;
      ASSERT_EQ(top_.unit_o, 1u << (int(spec.unit) - 1)) << spec.name;
    }
    first_field += int(spec.fields.size());
  }
}

// Most numbers become small multiples of 64, so that alignments and addresses are often good.
void tame(const isa::InstructionSpec& spec, std::mt19937_64* random, Bytes32* bytes) {
  isa::Word256 word = isa::to_word(*bytes);
  int lsb = isa::kPayloadLsb;
  for (const isa::FieldSpec& field : spec.fields) {
    if (field.kind == isa::FieldKind::kUnsigned && (*random)() % 10 != 0)
      isa::set_bits(&word, lsb, field.bits, (1 + (*random)() % 16) * 64);
    lsb += field.bits;
  }
  *bytes = isa::to_bytes(word);
}

// Random instructions, then the same with one bit turned over: good ones, and each static fault
// that one instruction can have.
TEST_F(Decoder, FaultsAreThoseOfTheStaticCheck) {
  std::mt19937_64 random(2);
  std::map<FaultCode, int> seen;
  for (const isa::InstructionSpec& spec : isa::kInstructions) {
    std::map<FaultCode, int> of_instruction;
    for (int i = 0; i < 5000; ++i) {
      Bytes32 bytes = isa::random_instruction(spec, &random, true);
      if (spec.name != "routine") tame(spec, &random, &bytes);
      if (i % 2) bytes[random() % 32] ^= std::uint8_t(1u << random() % 8);
      decode(bytes);
      const FaultCode fault = expected(bytes);
      ASSERT_EQ(int(top_.fault_o), int(fault)) << spec.name << " " << i;
      ++seen[fault];
      ++of_instruction[fault];
    }
    EXPECT_GT(of_instruction[FaultCode::kNone], 0) << spec.name;
    EXPECT_GT(of_instruction[FaultCode::kRange], 0) << spec.name;
  }
  for (const FaultCode code :
       {FaultCode::kNone, FaultCode::kOpcode, FaultCode::kField, FaultCode::kRange})
    EXPECT_GE(seen[code], 350) << fault_name(code);
}

}  // namespace
}  // namespace tally
