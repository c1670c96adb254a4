// SPDX-License-Identifier: Apache-2.0
// tally demo over few samples: what it prints and writes.
#include "tests/cli/commands/program_test.h"
#include "tests/unit/reports/schema.h"

namespace tally::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Demo : public Program {};

TEST_F(Demo, ShowsEachModelOnEachDesignOnAllMachines) {
  // One sample: cycles depend on the rows of DRAM that token ids lead to.
  const std::string text = output("demo -n 1");
  const auto schema = nlohmann::json::parse(file_text(TALLY_SOURCE_DIR "/docs/result.schema.json"));
  for (const std::string model : {"vit-fashion", "gpt-mini"}) {
    std::string hash;
    for (const std::string design : {"base", "small"}) {
      EXPECT_THAT(text,
                  HasSubstr(model + " on " + design + ", RTL = SystemC = functional: compared "));
      for (const std::string backend : {"functional", "sysc", "rtl"}) {
        const auto value = json("out/demo/" + model + "-" + design + "-" + backend + ".json");
        EXPECT_EQ(schema_error(value, schema), "");
        EXPECT_EQ(value["backend"], backend);
        if (hash.empty()) hash = value["first_output_sha256"];
        EXPECT_EQ(value["first_output_sha256"], hash) << model << design << backend;
      }
      const auto sysc = json("out/demo/" + model + "-" + design + "-sysc.json");
      const auto rtl = json("out/demo/" + model + "-" + design + "-rtl.json");
      EXPECT_EQ(sysc["cycles"], rtl["cycles"]);
      EXPECT_EQ(sysc["inferences"], 1);
      EXPECT_EQ(rtl["program"], sysc["program"]);
    }
  }
  EXPECT_THAT(file_text(folder_ / "out/demo/report.html"),
              AllOf(HasSubstr("RTL = SystemC = functional"), HasSubstr("gpt-mini-small-rtl")));
}

// Lines that begin with ./tally in the README's and the documents' code.
std::vector<std::string> documented_commands() {
  std::vector<std::string> commands;
  const std::filesystem::path root = TALLY_SOURCE_DIR;
  std::vector<std::filesystem::path> files = {root / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  for (const auto& file : files) {
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);) {
      const std::size_t start = line.find_first_not_of(' ');
      if (start == line.npos || line.compare(start, 8, "./tally ") != 0) continue;
      const std::string command = line.substr(start + 8, line.find('#') - start - 8);
      if (!command.starts_with("demo") && !command.starts_with("test")) commands.push_back(command);
    }
  }
  return commands;
}

class Documented : public Program {};

TEST_F(Documented, EveryCommandExistsAndEndsWell) {
  const auto commands = documented_commands();
  EXPECT_GE(commands.size(), 8U);
  std::filesystem::create_directories(folder_ / "out");
  for (const std::string& command : commands) {
    const Ran ran = tally(command);
    EXPECT_EQ(ran.status, 0) << command << "\n" << ran.err;
  }
}

}  // namespace
}  // namespace tally::testing
