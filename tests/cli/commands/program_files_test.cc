// SPDX-License-Identifier: Apache-2.0
// tally ir, compile, check, disasm, asm and verify.
#include "compiler/program/program.h"
#include "tests/cli/commands/program_test.h"

namespace tally::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Files : public Program {
 protected:
  // A small program: two tokens through one layer.
  void compile(const std::string& options = "") {
    output("compile gpt-mini --sequence 2 --layers 1..1 -o p.tally " + options);
  }
};

TEST_F(Files, IrIsPrintedAndReadBack) {
  output("ir gpt-mini --sequence 4 --output a.ir");
  EXPECT_EQ(output("ir a.ir"), file_text(folder_ / "a.ir"));
  EXPECT_THAT(file_text(folder_ / "a.ir"),
              AllOf(HasSubstr("matmul_i8("), Not(HasSubstr(" linear("))));
  EXPECT_THAT(output("ir gpt-mini --sequence 4 --model"), HasSubstr(" linear("));
  EXPECT_THAT(output("ir vit-fashion --model"), HasSubstr(" patchify("));
}

TEST_F(Files, IrPassesAreChosen) {
  write("a.ir",
        "module \"m\" { func @main {\n%x = input() {name = \"x\"} : f32[2,2]\n"
        "%y = silu(%x) : f32[2,2]\noutput(%x) {name = \"x\"}\n} }\n");
  EXPECT_THAT(output("ir a.ir"), HasSubstr("silu"));
  EXPECT_THAT(output("ir a.ir --passes eliminate-dead"), Not(HasSubstr("silu")));
  EXPECT_THAT(output("ir a.ir --passes eliminate-dead --skip eliminate-dead"), HasSubstr("silu"));
  EXPECT_THAT(output("ir a.ir --passes eliminate-dead --bisect-limit 0"), HasSubstr("silu"));
  EXPECT_THAT(output("ir a.ir --passes 'infer-shapes(x=3x3)'"), HasSubstr("f32[3,3]"));
  output("ir a.ir --passes canonicalise,eliminate-dead --dump d");
  for (const char* name : {"d/00-input.ir", "d/01-canonicalise.ir", "d/02-eliminate-dead.ir"})
    EXPECT_TRUE(exists(name)) << name;
  EXPECT_THAT(tally("ir a.ir --passes eliminate-dead --explain").err, HasSubstr("ms  changed"));
}

TEST_F(Files, IrErrorsNameThePlace) {
  write("bad.ir", "module \"m\" {\n func @main {\n%x = fly()\n} }\n");
  EXPECT_THAT(refusal("ir bad.ir"), StartsWith("bad.ir: line 3"));
  EXPECT_EQ(refusal("ir none.ir"), "none.ir: cannot be read\n");
  EXPECT_THAT(refusal("ir gpt-mini --sequence 2 --passes shrink"),
              HasSubstr("unknown pass 'shrink'"));
  EXPECT_THAT(refusal("ir gpt-mini --sequence 2 --skip shrink"), HasSubstr("cannot skip 'shrink'"));
}

TEST_F(Files, CompilesChecksAndDisassembles) {
  compile();
  EXPECT_THAT(output("check p.tally"), HasSubstr(" instructions accepted for base\n"));
  const std::string text = output("disasm p.tally");
  EXPECT_THAT(text, AllOf(HasSubstr("matmul"), HasSubstr("load")));
  output("disasm p.tally -o p.s");
  EXPECT_THAT(output("asm p.s -o p.bin"), HasSubstr(" bytes\n"));
  EXPECT_EQ(output("disasm p.bin"), text);
  EXPECT_THAT(output("compile gpt-mini --sequence 2 --layers 1..1 --explain"),
              AllOf(HasSubstr("h.1.mlp.c_fc"), HasSubstr("program ")));
}

TEST_F(Files, CompilingTwiceGivesTheSameBytes) {
  compile();
  const std::string first = file_text(folder_ / "p.tally");
  compile();
  EXPECT_EQ(file_text(folder_ / "p.tally"), first);
}

TEST_F(Files, DamagedFilesAreRefused) {
  compile();
  const std::string good = file_text(folder_ / "p.tally");
  write("cut.tally", good.substr(0, good.size() / 2));
  write("empty.tally", "");
  write("text.tally", "this is no program");
  for (const char* command : {"check", "disasm", "verify"})
    for (const char* file : {"cut.tally", "empty.tally", "text.tally", "none.tally"})
      EXPECT_THAT(refusal(std::string(command) + " " + file), HasSubstr(file));
  write("odd.bin", "123");
  EXPECT_EQ(refusal("disasm odd.bin"), "odd.bin: 3 bytes are not instructions of 32\n");
  write("bad.s", "matmul m=8\nfly 3\n");
  EXPECT_THAT(refusal("asm bad.s -o x.bin"), AllOf(HasSubstr("bad.s"), HasSubstr("2")));
  EXPECT_FALSE(exists("x.bin"));
}

TEST_F(Files, AnotherDesignIsRefusedWithTheKeys) {
  compile();
  const std::string message = refusal("check p.tally --design small");
  EXPECT_THAT(message, AllOf(HasSubstr("array.rows"), HasSubstr("16"), HasSubstr("8")));
  EXPECT_THAT(refusal("verify p.tally --design small"), HasSubstr("array.rows"));
}

TEST_F(Files, ABrokenScheduleIsRejectedWithStatusOne) {
  compile();
  auto program = load_program(folder_ / "p.tally");
  ASSERT_TRUE(program) << program.error().message;
  // Without its last third nothing posts what earlier instructions wait for, or the other way.
  program->code.resize(program->code.size() / 3);
  program->node_of_instruction.resize(program->code.size());
  std::reverse(program->code.begin(), program->code.end());
  ASSERT_TRUE(save_program(*program, folder_ / "broken.tally"));
  const Ran ran = tally("check broken.tally");
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.err, StartsWith("broken.tally: instruction "));
  EXPECT_EQ(ran.out, "");
}

TEST_F(Files, VerifiesModelsFilesAndRandomPrograms) {
  EXPECT_THAT(output("verify gpt-mini --sequence 2 --layers 1..1 --backends sysc"),
              HasSubstr("gpt-mini on base: compared "));
  compile("--design tiny");
  EXPECT_THAT(output("verify p.tally --backends sysc"), HasSubstr("p.tally on tiny: compared "));
  EXPECT_THAT(output("verify random --programs 5 --seed 3 --design tiny,small --backends sysc"),
              HasSubstr("seed 3: 5 programs"));
}

TEST_F(Files, VerifyRefusesWrongOptions) {
  EXPECT_EQ(refusal("verify gpt-mini --backends functional --sequence 2"),
            "--backends: the functional model is always compared\n");
  EXPECT_THAT(refusal("verify gpt-mini --backends reference --sequence 2"),
              HasSubstr("backend 'reference' is no machine"));
  EXPECT_EQ(refusal("verify gpt-mini --design base,small"),
            "--design: one design, but for 'random'\n");
  EXPECT_THAT(refusal("verify random --design huge"), HasSubstr("design 'huge'"));
}

}  // namespace
}  // namespace tally::testing
