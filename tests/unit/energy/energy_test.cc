// SPDX-License-Identifier: Apache-2.0
// Energy is count times coefficient and power times time, and nothing else.
#include "reports/energy/energy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tally {
namespace {

std::string source(const std::string& path) { return std::string(TALLY_SOURCE_DIR) + "/" + path; }

std::string read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Coefficients shipped() { return *Coefficients::load(source("reports/energy/45nm.toml")); }
Design base() { return *load_design(source("designs/base.toml")); }

// Every count different and not zero.
EnergyInput sample() {
  EnergyInput input;
  Events& e = input.events;
  e = {.multiplications = 1009,
       .activation_reads = 101,
       .activation_writes = 103,
       .weight_reads = 107,
       .weight_writes = 109,
       .accumulator_reads = 113,
       .accumulator_writes = 127};
  for (const isa::StepSpec& step : isa::kSteps) e.vector_operations[step.code] = 1000u + step.code;
  e.beats = {10, 30, 20};
  input.dram = {.read_bursts = 13, .write_bursts = 7, .activations = 5, .refreshes = 3};
  input.seconds = 1e-6;
  Events first = e, second{};
  first.beats = {0, 18, 20};
  second.beats = {0, 12, 0};
  input.node_names = {"a", "b"};
  input.node_events = {first, second};
  return input;
}

double sum(const std::map<std::string, double>& parts) {
  double total = 0;
  for (const auto& [name, pj] : parts) total += pj;
  return total;
}

TEST(Energy, UnitsAndNodesSumToTheTotal) {
  const auto report = compute_energy(sample(), base(), shipped());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->total_pj, 0);
  EXPECT_NEAR(sum(report->by_unit), report->total_pj, 1e-9 * report->total_pj);
  EXPECT_NEAR(sum(report->by_node), report->total_pj, 1e-9 * report->total_pj);
  EXPECT_GT(report->by_node.at("(instruction fetch)"), 0);
}

// Case of neighbouring tools: a changed coefficient without effect, or with another's.
TEST(Energy, ACoefficientDoubledAddsItsCountTimesIt) {
  const EnergyInput input = sample();
  const Events& e = input.events;
  const auto steps = [&](std::initializer_list<isa::StepOp> list) {
    double count = 0;
    for (isa::StepOp op : list) count += double(e.vector_operations[int(op)]);
    return count;
  };
  using S = isa::StepOp;
  const std::map<std::string, double> counts = {
      {"multiply_int8", 1009},
      {"add_int32", 1009 + steps({S::kMin, S::kMax, S::kAbs, S::kNeg, S::kLt, S::kLe, S::kEq,
                                  S::kSelect, S::kAddI32, S::kPsumMax, S::kFoldMax})},
      {"add_fp32", steps({S::kAdd, S::kSub, S::kPsumAdd, S::kFoldAdd, S::kScale2, S::kI32ToF32,
                          S::kF32ToI32, S::kF32ToI8, S::kF32ToU8})},
      {"multiply_fp32", steps({S::kMul})},
      {"iterate_fp32", steps({S::kDiv, S::kSqrt})},
      {"dram_read_burst", 13},
      {"dram_write_burst", 7},
      {"dram_activate", 5},
      {"dram_refresh", 3},
      {"dram_background", 1000}};
  const Coefficients set = shipped();
  const double before = compute_energy(input, base(), set)->total_pj;
  for (const auto& [id, count] : counts) {
    const double after = compute_energy(input, base(), set.scaled(id, 2))->total_pj;
    EXPECT_NEAR(after - before, count * set.pj(id), 1e-9 * before) << id;
  }
  EXPECT_GT(compute_energy(input, base(), set.scaled("register_bit", 2))->total_pj, before);
}

TEST(Energy, ReadsCostReadsAndWritesCostWrites) {
  const Coefficients set = shipped();
  const auto sram = set.sram(16384, 512);
  ASSERT_TRUE(sram);
  EnergyInput none, reads, writes;
  reads.events.activation_reads = 10;
  writes.events.activation_writes = 10;
  const double zero = compute_energy(none, base(), set)->total_pj;
  EXPECT_EQ(zero, 0);
  EXPECT_DOUBLE_EQ(compute_energy(reads, base(), set)->total_pj, 10 * sram->read_pj);
  EXPECT_DOUBLE_EQ(compute_energy(writes, base(), set)->total_pj, 10 * sram->write_pj);
}

TEST(Energy, StandbyGrowsWithTimeAlone) {
  EnergyInput once, twice;
  once.seconds = 1e-3;
  twice.seconds = 2e-3;
  const double one = compute_energy(once, base(), shipped())->total_pj;
  EXPECT_GT(one, 0);
  EXPECT_DOUBLE_EQ(compute_energy(twice, base(), shipped())->total_pj, 2 * one);
}

TEST(Coefficients, TableRowsComeBackAndBetweenThemIsInterpolated) {
  const auto exact = shipped().sram(32768, 512);
  ASSERT_TRUE(exact);
  EXPECT_DOUBLE_EQ(exact->read_pj, 24.5325);
  const auto between = shipped().sram(24576, 512);
  ASSERT_TRUE(between);
  EXPECT_GT(between->read_pj, 20.24);
  EXPECT_LT(between->read_pj, 24.5325);
  EXPECT_EQ(between->rows, "16384 x 512 b and 32768 x 512 b");
  const auto wide = shipped().sram(65536, 1024);
  ASSERT_TRUE(wide);
  EXPECT_DOUBLE_EQ(wide->read_pj, 2 * 24.5325);
}

TEST(Coefficients, OutsideTheTableIsRefusedWithItsRange) {
  const auto tiny = shipped().sram(256, 128);
  ASSERT_FALSE(tiny);
  EXPECT_NE(tiny.error().message.find("no SRAM figures for a bank of 256 bytes x 128 bits"),
            std::string::npos);
  EXPECT_NE(tiny.error().message.find("1024 2048"), std::string::npos);
  EXPECT_FALSE(shipped().sram(16384, 4));
}

TEST(Coefficients, AMissingOneIsAnError) {
  const std::string text = read(source("reports/energy/45nm.toml"));
  const Coefficients set_of_all = shipped();
  for (const auto& [id, coefficient] : set_of_all.all()) {
    std::string cut = text;
    const std::string header = "[coefficients." + id + "]";
    cut.replace(cut.find(header), header.size(), "[coefficients.other_" + id + "]");
    const auto set = Coefficients::parse(cut, "x.toml");
    ASSERT_FALSE(set) << id;
    EXPECT_EQ(set.error().message, "x.toml: coefficient '" + id + "' is missing");
  }
}

TEST(Coefficients, MalformedFilesAreRefused) {
  const auto message = [](const std::string& text) {
    const auto set = Coefficients::parse(text, "x.toml");
    return set ? std::string("accepted") : set.error().message;
  };
  EXPECT_EQ(message("name = "),
            "x.toml: line 1: Error while parsing key-value pair: encountered end-of-file");
  EXPECT_EQ(message(""), "x.toml: key 'name' is missing (a string)");
  std::string text = read(source("reports/energy/45nm.toml"));
  const std::string pj = "[coefficients.add_fp32]\npj = 0.9";
  text.replace(text.find(pj), pj.size(), "[coefficients.add_fp32]\npj = -0.9");
  EXPECT_EQ(message(text),
            "x.toml: key 'coefficients.add_fp32.pj' must be a number of picojoules, at least 0");
  text = read(source("reports/energy/45nm.toml"));
  text.replace(text.find("[1024, 8, "), 10, "[1024, ");
  EXPECT_EQ(message(text), "x.toml: key 'sram.table' row 1 must hold five numbers above 0");
  EXPECT_EQ(Coefficients::load("/nonexistent.toml").error().message,
            "/nonexistent.toml: energy coefficients cannot be read");
}

}  // namespace
}  // namespace tally
