// SPDX-License-Identifier: Apache-2.0
// Text to bits to text and back, for every instruction; every message of the assembler.
#include "compiler/isa/asm.h"

#include <gtest/gtest.h>

#include "tests/unit/isa/random_instruction.h"

namespace tally::isa {
namespace {

TEST(Asm, EveryInstructionSurvivesBitsToTextToBits) {
  std::mt19937_64 random(7);
  for (const InstructionSpec& spec : kInstructions)
    for (int i = 0; i < 300; ++i) {
      const Bytes32 bytes = random_instruction(spec, &random, true);
      const std::string text = disassemble(bytes);
      EXPECT_TRUE(text.starts_with(spec.name));
      const auto again = assemble_line(text);
      ASSERT_TRUE(again) << text << ": " << again.error().message;
      ASSERT_EQ(*again, bytes) << text;
      ASSERT_EQ(disassemble(*again), text);
    }
}

TEST(Asm, BitsThatAreNoInstructionSurviveToo) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 500; ++i) {
    Word256 word{random(), random(), random(), random()};
    const Bytes32 bytes = to_bytes(word);
    const auto again = assemble_line(disassemble(bytes));
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_EQ(*again, bytes);
  }
  Instruction instruction{.sync = {}, .body = Routine{.count = 1, .step0 = ~0ULL}};
  EXPECT_EQ(*assemble_line(disassemble(encode(instruction))), encode(instruction));
}

TEST(Asm, ReadsWhatAPersonWrites) {
  const auto code = assemble(
      "# a product\n"
      "\n"
      "  matmul m=8 k=0x10 n=8 a_unsigned=1 mode=add wait=0,-,3 post=1   # comment\n"
      "routine first=2 count=2 step0={ mul r1  r2 0x3f000000 } step1={store r1 s2}\n"
      "run last=3 extent0=1 extent1=1 extent2=5 increment3=-7\n",
      "x.s");
  ASSERT_TRUE(code) << code.error().message;
  ASSERT_EQ(code->size(), 3u);
  Instruction instruction;
  ASSERT_EQ(decode((*code)[0], &instruction), DecodeFault::kNone);
  EXPECT_EQ(std::get<Matmul>(instruction.body).k, 16u);
  EXPECT_EQ(std::get<Matmul>(instruction.body).mode, AccumulateMode::kAdd);
  EXPECT_EQ(instruction.sync.waits, (std::array<std::int8_t, 3>{0, -1, 3}));
  ASSERT_EQ(decode((*code)[2], &instruction), DecodeFault::kNone);
  EXPECT_EQ(std::get<isa::Run>(instruction.body).increment3, -7);
  const auto again = assemble(disassemble_program(*code), "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, *code);
}

TEST(Asm, EveryMessage) {
  const std::pair<const char*, const char*> cases[] = {
      {"halt", "unknown instruction 'halt'"},
      {"load rows", "'rows', expected field=value"},
      {"load lines=3", "load has no field 'lines'"},
      {"load rows=3 rows=4", "field 'rows' is given twice"},
      {"load rows=65536", "field 'rows' is '65536', allowed: 0 to 65535"},
      {"load rows=-1", "field 'rows' is '-1', allowed: 0 to 65535"},
      {"load rows=0x", "field 'rows' is '0x', allowed: 0 to 65535"},
      {"run increment0=131072", "field 'increment0' is '131072', allowed: -131072 to 131071"},
      {"load space=dram", "field 'space' is 'dram', allowed: activations, weights, accumulators"},
      {"stream element=i4", "field 'element' is 'i4', allowed: f32, i32, i8, u8"},
      {"matmul mode=max", "field 'mode' is 'max', allowed: write, add"},
      {"load wait=1,2,3,4", "'wait' lists 4 semaphores, at most 3"},
      {"load wait=32", "'wait' names semaphore '32', allowed: 0 to 31"},
      {"load post=1,1", "'post' names semaphore 1 twice"},
      {"routine step0=move", "field 'step0' is 'move', expected a step in braces"},
      {"routine step0={}", "field 'step0' has an empty step"},
      {"routine step0={fma r1 r2 r3}", "unknown step 'fma'"},
      {"routine step0={add r1 r2}", "step add has 2 operands, expected 3"},
      {"routine step0={add r1 r8 r0}", "operand 'r8', expected r0 to r7"},
      {"routine step0={load r1 s8}", "operand 's8', expected s0 to s7"},
      {"routine step0={move r1 0x100000000}", "operand '0x100000000', expected r0 to r7"},
      {".word 0x12", ".word takes 0x and 64 hexadecimal digits"},
  };
  for (const auto& [line, message] : cases) {
    const auto code = assemble(std::string("run last=1\n") + line + "\n", "p.s");
    ASSERT_FALSE(code) << line;
    EXPECT_EQ(code.error().message, std::string("p.s: line 2: ") + message);
  }
  EXPECT_EQ(assemble_line("  # nothing").error().message, "no instruction");
}

}  // namespace
}  // namespace tally::isa
