// SPDX-License-Identifier: Apache-2.0
// Products from one element to 4096^3: what is printed of them balances and stays within its
// bounds, and their speed follows the memory that a design names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "compiler/codegen/compile.h"
#include "models/functional/functional.h"
#include "models/measure/totals.h"
#include "models/run/inference.h"
#include "reports/accounts.h"
#include "reports/result_json.h"
#include "sysc/sysc_machine.h"
#include "tests/support/net.h"

namespace tally {
namespace {

const std::string kDesigns = TALLY_SOURCE_DIR "/designs";

struct Product {
  std::int64_t m, k, n;
};

Program compiled(const test::Net& net, const Design& design) {
  auto program = codegen::compile(net.module, design, {"net", "int8"});
  EXPECT_TRUE(program) << program.error().message;
  return std::move(*program);
}

Program product(const Product& size, const Design& design, test::Net* net) {
  net->output(net->linear(net->input(size.m, size.k), size.n));
  return compiled(*net, design);
}

Inference::Result run(const Program& program, const test::Net& net, const Design& design,
                      Machine* machine) {
  auto inference = Inference::create(program, design);
  EXPECT_TRUE(inference) << inference.error().message;
  auto result = inference->run(net.inputs, {}, machine);
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->run.outcome, Outcome::kFinished);
  return std::move(*result);
}

Result summed(const RunResult& run, const Program& program, const Design& design) {
  measure::Totals totals;
  totals.add(run, program);
  Result result;
  result.model = "product";
  result.backend = "sysc";
  result.inferences = 1;
  totals.write(design, &result);
  return result;
}

// Every number of the object is finite and not negative.
void expect_possible(const nlohmann::json& value, const std::string& path) {
  if (value.is_structured()) {
    for (const auto& [key, item] : value.items()) expect_possible(item, path + "/" + key);
  } else if (value.is_number()) {
    EXPECT_GE(value.get<double>(), 0) << path;
    EXPECT_LT(value.get<double>(), 1e15) << path;
  }
}

TEST(Products, PrintPossibleFigures) {
  const Design design = *find_design("base", kDesigns);
  const auto machine = make_sysc_machine(design);
  for (const Product& size : {Product{12544, 27, 32}, Product{16, 3, 1}, Product{1, 1, 1}}) {
    SCOPED_TRACE(fmt::format("{} x {} x {}", size.m, size.k, size.n));
    test::Net net(1);
    const Program program = product(size, design, &net);
    const RunResult native = run(program, net, design, machine.get()).run;
    const Result result = summed(native, program, design);
    const Status accounts = check_accounts(result, design);
    EXPECT_TRUE(accounts) << accounts.error().message;
    const std::uint64_t macs = std::uint64_t(size.m * size.k * size.n);
    EXPECT_GE(native.cycles * std::uint64_t(design.macs_per_cycle()), macs);
    EXPECT_GE(native.events.multiplications, macs);
    EXPECT_LE(native.events.multiplications,
              native.cycles * std::uint64_t(design.macs_per_cycle()));
    const std::uint64_t bytes = std::uint64_t(4 * size.m * (size.k + size.n) + size.k * size.n);
    EXPECT_GE(native.dram.requested_read_bytes + native.dram.requested_write_bytes, bytes);
    EXPECT_GE(native.cycles * std::uint64_t(design.port_bytes), bytes);
    expect_possible(nlohmann::json::parse(result_json(result)), "");
  }
}

TEST(Products, TheBoundsAreChecked) {
  const Design design = *find_design("base", kDesigns);
  test::Net net(1);
  const Program program = product({64, 64, 64}, design, &net);
  const RunResult good = run(program, net, design, make_sysc_machine(design).get()).run;
  ASSERT_TRUE(check_accounts(summed(good, program, design), design));
  RunResult fast = good;  // as fast as no machine of this size is
  fast.cycles = 64 * 64 * 64 / 256 / 2;
  EXPECT_FALSE(check_accounts(summed(fast, program, design), design));
  RunResult lost = good;
  lost.units[1].busy -= 1;
  EXPECT_FALSE(check_accounts(summed(lost, program, design), design));
  RunResult wrapped = good;
  wrapped.units[2].idle = std::uint64_t(0) - 16;
  EXPECT_FALSE(check_accounts(summed(wrapped, program, design), design));
}

// Side 4096 in label full: it takes minutes.
TEST(Products, ALargeCubeFinishesOnFunctionalAndNativeModel) {
  const std::int64_t side = std::getenv("TALLY_PRODUCTS_FULL") != nullptr ? 4096 : 1024;
  const Design design = *find_design("base", kDesigns);
  test::Net net(2);
  const Program program = product({side, side, side}, design, &net);
  const auto native = run(program, net, design, make_sysc_machine(design).get());
  const auto functional = run(program, net, design, make_functional_machine(design).get());
  EXPECT_EQ(native.run.events, functional.run.events);
  EXPECT_GE(native.run.cycles, std::uint64_t(side * side * side) / 256);
  const auto a = native.outputs.at("y").bytes(), b = functional.outputs.at("y").bytes();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

// A layer of 4 MB of weights for one row: the memory decides.
TEST(Products, BandwidthFollowsTheMemoryAndIsNeverAboveIt) {
  Design design = *find_design("base", kDesigns);
  design.port_bytes = 64;
  std::uint64_t last = ~0ull;
  const std::pair<const char*, double> kinds[] = {// bytes a second at the peak
                                                  {"DDR4-2400", 19.2e9},
                                                  {"DDR4-2400x2", 38.4e9},
                                                  {"DDR4-2400x4", 76.8e9},
                                                  {"ideal", 64e9}};
  for (const auto& [kind, peak] : kinds) {
    SCOPED_TRACE(kind);
    design.dram_kind = kind;
    test::Net net(3);
    const Program program = product({1, 2048, 2048}, design, &net);
    const RunResult native = run(program, net, design, make_sysc_machine(design).get()).run;
    const double seconds = double(native.cycles) / (design.clock_mhz * 1e6);
    const double bytes = double(native.dram.read_bytes + native.dram.write_bytes);
    EXPECT_GE(bytes, 4e6);
    EXPECT_LE(bytes / seconds, peak);
    EXPECT_GE(bytes / seconds, 0.25 * peak);
    EXPECT_LT(native.cycles, last);
    last = native.cycles;
    for (const UnitCycles& unit : native.units)
      EXPECT_EQ(unit.busy + unit.stalled + unit.idle, native.cycles);
    const Status accounts = check_accounts(summed(native, program, design), design);
    EXPECT_TRUE(accounts) << accounts.error().message;
  }
}

}  // namespace
}  // namespace tally
