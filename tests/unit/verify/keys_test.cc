// SPDX-License-Identifier: Apache-2.0
// No key of a design is read and then without effect: each, changed alone, changes the code of a
// compiled net, its cycles, or the cycles of random programs, which fill queues as nets seldom do.
#include <gtest/gtest.h>

#include "compiler/codegen/compile.h"
#include "models/run/inference.h"
#include "models/verify/random_program.h"
#include "sysc/sysc_machine.h"
#include "tests/support/designs.h"
#include "tests/support/net.h"

namespace tally {
namespace {

struct Effect {
  std::vector<isa::Bytes32> code;
  std::vector<std::uint64_t> cycles;
  friend bool operator==(const Effect&, const Effect&) = default;
};

constexpr std::uint64_t kPrograms = 30;

// `generated_for`: the design that the random programs were made for.
Effect effect_of(const Design& design, const Design& generated_for) {
  test::Net net(5);
  ir::Value* x = net.linear(net.input(20, 24), 64);
  x = net.layernorm(net.op(ir::OpKind::kSoftmax, {x}));
  x = net.rmsnorm(net.linear(x, 48));
  net.output(net.linear(x, 40));
  const auto program = codegen::compile(net.module, design, {"net", "int8"});
  EXPECT_TRUE(program) << program.error().message;
  auto inference = Inference::create(*program, design);
  EXPECT_TRUE(inference) << inference.error().message;
  const auto machine = make_sysc_machine(design);
  const auto result = inference->run(net.inputs, {}, machine.get());
  EXPECT_TRUE(result) << result.error().message;
  std::vector<std::uint64_t> cycles = {result->run.cycles};
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    Program random = random_program(generated_for, seed, Ending::kFinished);
    random.design_hash = design.hash();
    random.stall_seed = 0;
    DramImage dram(design.dram_capacity_bytes);
    EXPECT_TRUE(random.load_into(&dram));
    cycles.push_back(machine->run(random.place(), {}, &dram)->cycles);
  }
  return {program->code, cycles};
}

TEST(DesignKeys, EachAloneChangesCodeOrCycles) {
  const Design design = test::test_design("even");
  const std::map<std::string, std::function<void(Design*)>> changes = {
      {"clock.mhz", [](Design* d) { d->clock_mhz *= 2; }},
      {"array.rows", [](Design* d) { d->rows *= 2; }},
      {"array.columns", [](Design* d) { d->columns *= 2; }},
      {"vector.lanes", [](Design* d) { d->lanes *= 2; }},
      {"vector.latency", [](Design* d) { ++d->vector_latency; }},
      {"vector.divide_bits", [](Design* d) { d->divide_bits *= 2; }},
      {"activations.banks", [](Design* d) { d->activations.banks /= 2; }},
      {"activations.bank_bytes", [](Design* d) { d->activations.bank_bytes /= 2; }},
      {"weights.banks", [](Design* d) { d->weights.banks /= 2; }},
      {"weights.bank_bytes", [](Design* d) { d->weights.bank_bytes /= 2; }},
      {"accumulators.banks", [](Design* d) { d->accumulators.banks /= 2; }},
      {"accumulators.bank_bytes", [](Design* d) { d->accumulators.bank_bytes /= 2; }},
      {"port.bytes", [](Design* d) { d->port_bytes /= 2; }},
      {"port.load_outstanding", [](Design* d) { d->load_outstanding = 1; }},
      {"port.store_outstanding", [](Design* d) { d->store_outstanding = 8; }},
      {"port.fetch_buffers", [](Design* d) { d->fetch_buffers = 8; }},
      {"port.fetch_burst_bytes", [](Design* d) { d->fetch_burst_bytes *= 2; }},
      {"queues.load", [](Design* d) { d->load_queue = 1; }},
      {"queues.store", [](Design* d) { d->store_queue = 1; }},
      {"queues.matrix", [](Design* d) { d->matrix_queue = 1; }},
      {"queues.vector", [](Design* d) { d->vector_queue = 1; }},
      {"dram.kind", [](Design* d) { d->dram_kind = "ideal"; }}};
  const Effect before = effect_of(design, design);
  std::set<std::string> keys;
  for (const auto& [key, value] : design.hardware_keys()) keys.insert(key);
  for (const auto& [key, change] : changes) {
    Design changed = design;
    change(&changed);
    EXPECT_NE(changed.hardware_keys(), design.hardware_keys()) << key;
    EXPECT_FALSE(effect_of(changed, design) == before) << key;
    EXPECT_EQ(keys.erase(key), 1u) << key;
  }
  EXPECT_EQ(keys.erase("dram.capacity_mib"), 1u);  // below
  for (const std::string& key : keys) ADD_FAILURE() << key << " is not tested";
}

TEST(DesignKeys, CapacityDecidesWhatFits) {
  Design design = test::test_design("even");
  test::Net net(6);
  net.output(net.linear(net.input(1, 1024), 1024));  // 1 MiB of weights
  const auto created = [&] {
    const auto program = codegen::compile(net.module, design, {"net", "int8"});
    return program && Inference::create(*program, design).has_value();
  };
  EXPECT_FALSE(created());
  design.dram_capacity_bytes *= 4;
  EXPECT_TRUE(created());
}

}  // namespace
}  // namespace tally
