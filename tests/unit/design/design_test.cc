// SPDX-License-Identifier: Apache-2.0
// Design files: every key present and checked, every refusal named, and what all shipped designs
// must have.
#include "compiler/design/design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "reports/energy/energy.h"

namespace tally {
namespace {

using ::testing::HasSubstr;

const std::string kSource = TALLY_SOURCE_DIR;
const std::string kDesigns = kSource + "/designs";

std::string base_text() {
  std::stringstream text;
  text << std::ifstream(kDesigns + "/base.toml").rdbuf();
  return text.str();
}

struct Line {
  std::string key;    // "section.name"
  std::string value;  // as written
};

// The keys of base.toml in order.
std::vector<Line> base_lines() {
  std::vector<Line> lines;
  std::istringstream text(base_text());
  std::string section;
  for (std::string line; std::getline(text, line);) {
    line = line.substr(0, line.find('#'));
    if (line.starts_with("[")) section = line.substr(1, line.find(']') - 1) + ".";
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    std::string value = line.substr(equals + 3);
    value.erase(value.find_last_not_of(' ') + 1);
    lines.push_back({section + line.substr(0, equals), value});
  }
  return lines;
}

// base.toml with other values; an empty one leaves the key out.
std::string changed(const std::map<std::string, std::string>& values) {
  std::string text;
  for (const Line& line : base_lines()) {
    const auto other = values.find(line.key);
    const std::string& value = other == values.end() ? line.value : other->second;
    if (!value.empty()) text += line.key + " = " + value + "\n";
  }
  return text;
}

std::string refusal(const std::string& text) {
  const auto design = parse_design(text, "d.toml");
  EXPECT_FALSE(design) << text;
  return design ? "" : design.error().message;
}
std::string refusal(const std::map<std::string, std::string>& values) {
  return refusal(changed(values));
}

Design parsed(const std::map<std::string, std::string>& values) {
  const auto design = parse_design(changed(values), "d.toml");
  EXPECT_TRUE(design) << design.error().message;
  return *design;
}

bool is_text(const Line& line) { return line.value.starts_with("\""); }

TEST(ShippedDesigns, AreNamedLikeTheirFilesAndDiffer) {
  std::set<std::uint64_t> hashes;
  int designs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kDesigns)) {
    const auto design = load_design(entry.path());
    ASSERT_TRUE(design) << design.error().message;
    EXPECT_EQ(design->name, entry.path().stem().string());
    EXPECT_TRUE(hashes.insert(design->hash()).second) << design->name;
    EXPECT_EQ(find_design(design->name, kDesigns)->hash(), design->hash());
    ++designs;
  }
  EXPECT_GE(designs, 3);
}

TEST(ShippedDesigns, HaveEnergyFiguresForTheirMemories) {
  for (const auto& entry : std::filesystem::directory_iterator(kDesigns)) {
    const Design design = *load_design(entry.path());
    const auto coefficients =
        Coefficients::load(kSource + "/reports/energy/" + design.energy + ".toml");
    ASSERT_TRUE(coefficients) << coefficients.error().message;
    const auto report = compute_energy({}, design, *coefficients);
    EXPECT_TRUE(report) << design.name << ": " << report.error().message;
  }
}

TEST(Design, EveryKeyIsNeeded) {
  ASSERT_GT(base_lines().size(), 25u);
  for (const Line& line : base_lines())
    EXPECT_THAT(refusal({{line.key, ""}}),
                HasSubstr("d.toml: key '" + line.key + "' is missing (" +
                          (is_text(line) ? "a string)" : "an integer, ")));
}

TEST(Design, EveryKeyHasAType) {
  for (const Line& line : base_lines()) {
    EXPECT_THAT(refusal({{line.key, "true"}}),
                HasSubstr("d.toml: key '" + line.key + "' must be " +
                          (is_text(line) ? "a string that is not empty" : "an integer, ")));
    if (is_text(line)) {
      EXPECT_THAT(refusal({{line.key, "\"\""}}), HasSubstr("must be a string that is not empty"));
    }
  }
}

TEST(Design, EveryIntegerHasARange) {
  for (const Line& line : base_lines()) {
    if (is_text(line)) continue;
    for (const char* value : {"-1", "0", "99999999"})
      EXPECT_THAT(refusal({{line.key, value}}),
                  HasSubstr("d.toml: key '" + line.key + "' is " + value + ", allowed: "));
  }
  EXPECT_EQ(refusal({{"array.rows", "12"}}),
            "d.toml: key 'array.rows' is 12, allowed: 2 to 256, a power of two");
  EXPECT_EQ(refusal({{"queues.load", "65"}}), "d.toml: key 'queues.load' is 65, allowed: 1 to 64");
}

TEST(Design, UnknownKeysAndBrokenFilesAreRefused) {
  EXPECT_EQ(refusal(changed({}) + "array.depth = 2\n"), "d.toml: unknown key 'array.depth'");
  EXPECT_EQ(refusal("colour = 1\n" + changed({})), "d.toml: unknown key 'colour'");
  EXPECT_THAT(refusal("name = \"x\"\nname = = 3\n"), HasSubstr("d.toml: line 2: "));
  EXPECT_EQ(load_design("/nowhere/d.toml").error().message, "/nowhere/d.toml: cannot be read");
}

TEST(Design, CombinationsThatCannotBeBuiltAreRefused) {
  for (const std::string memory : {"activations", "weights"})
    EXPECT_EQ(refusal({{memory + ".banks", "64"}, {memory + ".bank_bytes", "524288"}}),
              "d.toml: key '" + memory + ".banks' x '" + memory +
                  ".bank_bytes' is 33554432 bytes, allowed: up to 16 MiB");
  const std::string rows =
      "allowed: at least one row of 4 x columns = {} bytes a bank and at most 65536 rows in all";
  EXPECT_EQ(
      refusal({{"array.columns", "64"}, {"accumulators.bank_bytes", "128"}}),
      "d.toml: key 'accumulators.bank_bytes' is 128, " + fmt::format(fmt::runtime(rows), 256));
  EXPECT_EQ(
      refusal({{"accumulators.banks", "64"}, {"accumulators.bank_bytes", "1048576"}}),
      "d.toml: key 'accumulators.bank_bytes' is 1048576, " + fmt::format(fmt::runtime(rows), 64));
  EXPECT_EQ(refusal({{"array.columns", "2"}}),
            "d.toml: key 'port.bytes' is 16, allowed: up to 4 x columns = 8 (the store unit reads "
            "accumulator rows)");
  EXPECT_EQ(refusal({{"port.bytes", "64"}, {"port.fetch_burst_bytes", "64"}}),
            "d.toml: key 'port.fetch_burst_bytes' is 64, allowed: 128 to 16384 (2 to 256 beats of "
            "port.bytes)");
  EXPECT_EQ(refusal({{"port.bytes", "4"}, {"port.fetch_burst_bytes", "2048"}}),
            "d.toml: key 'port.fetch_burst_bytes' is 2048, allowed: 8 to 1024 (2 to 256 beats of "
            "port.bytes)");
}

TEST(Design, AnUnknownMemoryIsRefused) {
  EXPECT_EQ(refusal({{"dram.kind", "\"DDR9\""}}).substr(0, 49),
            "d.toml: key 'dram.kind' is 'DDR9', allowed: DDR4-");
}

TEST(Design, TheHashCoversTheHardwareAlone) {
  const Design base = parsed({});
  for (const char* key : {"name", "description", "energy.coefficients"})
    EXPECT_EQ(parsed({{key, "\"other\""}}).hash(), base.hash()) << key;
  const auto keys = base.hardware_keys();
  EXPECT_EQ(keys.size() + 3, base_lines().size());
  std::set<std::uint64_t> hashes = {base.hash()};
  for (const Line& line : base_lines()) {
    if (is_text(line)) continue;
    const bool halves = line.key != "port.store_outstanding" && line.key != "port.fetch_buffers";
    const std::int64_t value = std::stoll(line.value);
    const Design other = parsed({{line.key, std::to_string(halves ? value / 2 : value * 2)}});
    EXPECT_TRUE(hashes.insert(other.hash()).second) << line.key;
  }
}

TEST(Design, DerivedFigures) {
  const Design base = parsed({});
  EXPECT_EQ(base.scratchpad_width(), 64);
  EXPECT_EQ(base.divide_interval(), 14);
  EXPECT_EQ(base.accumulator_rows(), 1024);
  EXPECT_EQ(base.accumulator_bank_rows(), 128);
  EXPECT_EQ(base.macs_per_cycle(), 256);
  EXPECT_EQ(parsed({{"vector.divide_bits", "1"}}).divide_interval(), 27);
  EXPECT_EQ(parsed({{"vector.divide_bits", "4"}}).divide_interval(), 8);
  EXPECT_EQ(parsed({{"array.rows", "128"}}).scratchpad_width(), 128);
}

TEST(FindDesign, NamesWhatIsShipped) {
  EXPECT_THAT(find_design("none", kDesigns).error().message,
              HasSubstr("design 'none' is neither a shipped name (base, small, "));
  EXPECT_EQ(find_design("/nowhere/d.toml", kDesigns).error().message,
            "/nowhere/d.toml: cannot be read");
  EXPECT_EQ(find_design(kDesigns + "/small.toml", kDesigns)->name, "small");
}

}  // namespace
}  // namespace tally
