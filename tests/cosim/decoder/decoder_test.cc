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

// Random instructions, then the same with one bit turned over: good ones, and each static fault
// that one instruction can have.
TEST_F(Decoder, FaultsAreThoseOfTheStaticCheck) {
  std::mt19937_64 random(2);
  std::map<FaultCode, int> seen;
  for (const isa::InstructionSpec& spec : isa::kInstructions)
    for (int i = 0; i < 5000; ++i) {
      Bytes32 bytes = isa::random_instruction(spec, &random, true);
      // Low bits clear, so that alignment is often good.
      for (std::size_t at = isa::kPayloadLsb / 8; at < bytes.size(); ++at)
        if (random() % 2) bytes[at] &= std::uint8_t(random() & random());
      if (i % 2) bytes[random() % 32] ^= std::uint8_t(1u << random() % 8);
      decode(bytes);
      const FaultCode fault = expected(bytes);
      ASSERT_EQ(int(top_.fault_o), int(fault)) << spec.name << " " << i;
      ++seen[fault];
    }
  for (const FaultCode code :
       {FaultCode::kNone, FaultCode::kOpcode, FaultCode::kField, FaultCode::kRange})
    EXPECT_GE(seen[code], 350) << fault_name(code);
}

}  // namespace
}  // namespace tally
