// SPDX-License-Identifier: Apache-2.0
// The program of docs/architecture.md, "The life of one instruction", takes the cycles that it
// says.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "compiler/isa/asm.h"
#include "models/dram/dram.h"
#include "sysc/matrix_timing.h"
#include "sysc/sysc_machine.h"
#include "tests/unit/docs/doc_file.h"

namespace tally {
namespace {

const char* const kDocument = "docs/architecture.md";

Design base() { return *find_design("base", source_root() / "designs"); }

RunResult run(const std::vector<isa::Bytes32>& code) {
  const Design design = base();
  DramImage dram(design.dram_capacity_bytes);
  MachineProgram program;
  program.design_hash = design.hash();
  program.instructions = static_cast<std::uint32_t>(code.size());
  for (std::size_t i = 0; i < program.bases.size(); ++i) program.bases[i] = (i + 1) * 0x10000;
  for (std::size_t i = 0; i < code.size(); ++i) dram.write(i * isa::kInstructionBytes, code[i]);
  RunOptions options;
  options.records = true;
  return *make_sysc_machine(design)->run(program, options, &dram);
}

std::vector<isa::Bytes32> documented_code() {
  const auto code = isa::assemble(fenced_block(doc_file(kDocument).text, "asm"), kDocument);
  TALLY_CHECK(code.has_value(), "{}", code.error().message);
  return *code;
}

std::string range(std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{} .. {}", first, last);
}

TEST(Life, TheProgramTakesTheCyclesOfTheTable) {
  const std::string text = doc_file(kDocument).text;
  const RunResult result = run(documented_code());
  ASSERT_EQ(result.outcome, Outcome::kFinished);
  std::ostringstream actual, documented;
  for (const Record& r : result.records)
    actual << r.sequence << " " << isa::kUnitNames[int(r.unit)] << " " << r.start << " " << r.end
           << "\n";
  for (const auto& row : table_with(text, "starts"))
    documented << row.at(0) << " " << row.at(1) << " " << row.at(2) << " " << row.at(3) << "\n";
  EXPECT_EQ(documented.str(), actual.str());
  EXPECT_NE(text.find(fmt::format("T = {}.", result.cycles)), std::string::npos)
      << "cycles: " << result.cycles;
}

TEST(Life, TheStagesTakeTheCyclesOfTheTable) {
  const Design design = base();
  const auto code = documented_code();
  const Record record = run(code).records.at(2);
  const auto beats = Dram(design, 0).accept(1, false, 0, int(code.size() * 32)).beats;
  isa::Instruction instruction;
  ASSERT_EQ(isa::decode(code.at(2), &instruction), isa::DecodeFault::kNone);
  const auto matmul = std::get<isa::Matmul>(instruction.body);
  const auto timing = sysc::time_matmul(matmul, design, std::nullopt, record.start);
  const std::uint64_t dispatched = beats.at(5) + 1, rows = matmul.m;
  const std::uint64_t latency = std::uint64_t(design.rows + design.columns + 1);
  const std::map<std::string, std::string> stages = {
      {"fetched", range(beats.at(4), beats.at(5))},
      {"dispatched", range(dispatched, dispatched)},
      {"waits", range(dispatched + 1, record.start - 1)},
      {"starts", range(record.start, record.start)},
      {"first tile loads", range(timing.first_load, timing.loaded - 1)},
      {"first tile streams", range(timing.first_stream, timing.first_stream + rows - 1)},
      {"second tile loads", range(timing.first_stream, timing.last_load)},
      {"second tile streams", range(timing.array.first_stream, timing.array.streamed - 1)},
      {"rows are written",
       range(timing.first_stream + latency, timing.array.streamed - 1 + latency)},
      {"ends", range(record.end, record.end)}};
  std::map<std::string, std::string> documented;
  for (const auto& row : table_with(doc_file(kDocument).text, "stage"))
    documented[row.at(0)] = row.at(1);
  EXPECT_EQ(documented, stages);
  EXPECT_EQ(beats.size(), 8u);
  EXPECT_NE(
      doc_file(kDocument).text.find(fmt::format("beats come in {} .. {}", beats[0], beats[7])),
      std::string::npos);
}

}  // namespace
}  // namespace tally
