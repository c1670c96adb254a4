// SPDX-License-Identifier: Apache-2.0
// Wrong use, help, version, and what `list` names.
#include "tests/cli/commands/program_test.h"

namespace tally::testing {
namespace {

using ::testing::HasSubstr;

class Use : public Program {};

TEST_F(Use, WrongUseIsOneLineAndStatusTwo) {
  EXPECT_THAT(refusal(""), HasSubstr("subcommand is required"));
  EXPECT_EQ(refusal("fly"), "unknown command 'fly' (tally --help lists them)\n");
  EXPECT_THAT(refusal("run"), HasSubstr("MODEL is required"));
  EXPECT_THAT(refusal("run vit-fashion --speed 3"), HasSubstr("--speed"));
  EXPECT_THAT(refusal("run vit-fashion -n 0"), HasSubstr("-n"));
  EXPECT_THAT(refusal("run vit-fashion -n many"), HasSubstr("many"));
  EXPECT_THAT(refusal("run vit-fashion --head first"), HasSubstr("--head"));
  EXPECT_THAT(refusal("run vit-fashion --threads 0"), HasSubstr("--threads"));
  EXPECT_THAT(refusal("generate gpt-mini"), HasSubstr("required"));
  EXPECT_THAT(refusal("generate gpt-mini --prompt a --tokens 1"), HasSubstr("--prompt"));
  EXPECT_THAT(refusal("asm x.s"), HasSubstr("--output is required"));
  EXPECT_THAT(refusal("verify random --programs 0"), HasSubstr("--programs"));
}

TEST_F(Use, HelpNamesEveryCommand) {
  const std::string help = output("--help");
  for (const char* command :
       {"demo", "run", "generate", "verify", "compile", "ir", "disasm", "asm", "check", "list"}) {
    EXPECT_THAT(help, HasSubstr(command));
    EXPECT_THAT(output(std::string(command) + " --help"), HasSubstr(command));
  }
}

TEST_F(Use, VersionIsThatOfResults) {
  write("s.json", R"({"task":"lm","sequences":[[1,2]]})");
  output("run gpt-mini --backend reference --data s.json --json r.json");
  EXPECT_EQ(output("--version"), json("r.json")["tally"].get<std::string>() + "\n");
}

TEST_F(Use, ListsWhatShips) {
  EXPECT_THAT(output("list models"),
              ::testing::AllOf(HasSubstr("gpt-mini"), HasSubstr("vit-fashion")));
  EXPECT_THAT(output("list designs"), ::testing::AllOf(HasSubstr("base "), HasSubstr("small ")));
  EXPECT_THAT(output("list recipes"),
              ::testing::AllOf(HasSubstr("int8 "), HasSubstr("int8-static ")));
  EXPECT_THAT(output("list backends"),
              ::testing::AllOf(HasSubstr("reference "), HasSubstr("functional "),
                               HasSubstr("sysc "), HasSubstr("rtl ")));
  EXPECT_THAT(output("list data"),
              ::testing::AllOf(HasSubstr("fashion-test "), HasSubstr("kjv-train ")));
  EXPECT_EQ(refusal("list planets"),
            "list: 'planets' is none of models, designs, recipes, backends, data\n");
}

TEST_F(Use, AFullDiskIsNotSuccess) {
  const Ran ran = tally("list models >/dev/full");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "tally: standard output cannot be written\n");
}

TEST_F(Use, AHomeWithoutFilesIsNamed) {
  EXPECT_THAT(refusal("run vit-fashion", "TALLY_HOME=/nowhere"),
              HasSubstr("model 'vit-fashion' is neither in the zoo () nor a folder"));
}

}  // namespace
}  // namespace tally::testing
