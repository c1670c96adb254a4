// SPDX-License-Identifier: Apache-2.0
// Shapes off the beaten path, on every machine: products of {1, 3, 7, 33, 40, 65}^3, and one-layer
// programs with softmax and layer norms of awkward widths, back to back with products and DRAM
// stalls. Designs: arrays 4x4, 8x4, 8x8 and 16x16 with 1, 2, 8 and 16 lanes, and 64 lanes on 4x16.
#include "tests/cosim/cases/machines_agree.h"

namespace tally {
namespace {

using test::Machines;
using test::Net;

class CasesOn : public testing::TestWithParam<const char*> {};

TEST_P(CasesOn, ProductsOfAllShapes) {
  Machines machines(GetParam());
  const std::int64_t sizes[] = {1, 3, 7, 33, 40, 65};
  unsigned seed = 0;
  for (const std::int64_t m : sizes)
    for (const std::int64_t k : sizes)
      for (const std::int64_t n : sizes) {
        SCOPED_TRACE(fmt::format("{} x {} x {}", m, k, n));
        Net net(++seed);
        net.output(net.linear(net.input(m, k), n));
        const RunResult run = machines.expect_agreement(net);
        // No figure beyond what is possible.
        EXPECT_GE(run.cycles * std::uint64_t(machines.design().macs_per_cycle()),
                  std::uint64_t(m * k * n));
        EXPECT_GE(run.events.multiplications, std::uint64_t(m * k * n));
        for (const UnitCycles& unit : run.units)
          EXPECT_EQ(unit.busy + unit.stalled + unit.idle, run.cycles);
        if (HasFailure()) return;
      }
}

TEST_P(CasesOn, SoftmaxAndNormsBetweenProductsWithStalls) {
  Machines machines(GetParam());
  unsigned seed = 1000;
  for (const std::int64_t columns : {1, 2, 3, 17, 64, 128, 129}) {
    SCOPED_TRACE(columns);
    Net net(++seed);
    ir::Value* x = net.linear(net.input(5, 24), columns);
    x = net.op(ir::OpKind::kSoftmax, {x});
    x = net.layernorm(net.linear(x, columns));
    x = net.linear(net.rmsnorm(x), 9);
    net.output(x);
    machines.expect_agreement(net, {.stall_seed = seed});
    if (HasFailure()) return;
  }
}

TEST_P(CasesOn, AttentionInBlocks) {
  Machines machines(GetParam());
  Net net(2000);
  ir::Value* x = net.input(19, 24);
  ir::Value* q = net.rope(net.linear(x, 32), 4);
  ir::Value* k = net.rope(net.linear(x, 16), 2);
  ir::Value* o = net.attention(q, k, net.linear(x, 16), 4, 2, true, 8);
  net.output(net.op(ir::OpKind::kAdd, {net.linear(o, 24), x}));
  machines.expect_agreement(net, {.stall_seed = 7});
}

TEST(Cube, Of256OnBase) {
  Machines machines("designs/base.toml");
  Net net(3000);
  net.output(net.linear(net.input(256, 256), 256));
  EXPECT_GE(machines.expect_agreement(net).cycles, 256u * 256);
}

INSTANTIATE_TEST_SUITE_P(Designs, CasesOn,
                         testing::Values("designs/base.toml", "designs/small.toml",
                                         "tests/designs/narrow.toml", "tests/designs/uneven.toml",
                                         "tests/designs/broad.toml"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name = name.substr(name.rfind('/') + 1);
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace tally
