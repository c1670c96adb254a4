// SPDX-License-Identifier: Apache-2.0
// Each limit of docs/isa.md and docs/timing.md: the last value allowed and the first refused.
#include <gtest/gtest.h>

#include "compiler/program/check.h"
#include "tests/unit/program/mini_program.h"

namespace tally {
namespace {

using namespace test;

FaultCode fault_of(isa::Instruction instruction) {
  const Design design = tiny_design();
  return find_static_fault(encode_all({instruction}), design.hash(), design).code;
}

template <class Body, class Value>
void expect_limit(Body good, Value Body::*field, std::uint64_t allowed, std::uint64_t refused) {
  good.*field = Value(allowed);
  EXPECT_EQ(fault_of({{}, good}), FaultCode::kNone) << allowed;
  good.*field = Value(refused);
  EXPECT_EQ(fault_of({{}, good}), FaultCode::kRange) << refused;
}

TEST(StaticFault, Transfers) {
  const isa::Load load{.pitch = 16, .rows = 2, .row_bytes = 16, .address_pitch = 16};
  using L = isa::Load;
  expect_limit(load, &L::offset, 48, 47);
  expect_limit(load, &L::pitch, 0, 8);
  expect_limit(load, &L::rows, 1, 0);
  expect_limit(load, &L::row_bytes, 16, 0);
  expect_limit(load, &L::row_bytes, 16, 8);
  expect_limit(load, &L::space, 1, 2);
  expect_limit(load, &L::address, 4080, 4096);
  expect_limit(load, &L::address, 16, 24);
  expect_limit(load, &L::address_pitch, 32, 0);
  expect_limit(load, &L::address_pitch, 32, 24);
  auto one_row = load;
  one_row.rows = 1, one_row.address_pitch = 0;
  EXPECT_EQ(fault_of({{}, one_row}), FaultCode::kNone);

  const isa::Gather gather{
      .pitch = 16, .rows = 2, .row_bytes = 16, .address_pitch = 16, .limit = 4};
  using G = isa::Gather;
  expect_limit(gather, &G::rows, 64, 65);
  expect_limit(gather, &G::rows, 1, 0);
  expect_limit(gather, &G::limit, 1, 0);
  expect_limit(gather, &G::index_offset, 16, 4);
  expect_limit(gather, &G::space, 1, 2);
  expect_limit(gather, &G::address_pitch, 16, 0);

  const isa::Store store{.pitch = 16, .rows = 2, .row_bytes = 16, .address_pitch = 0};
  using S = isa::Store;
  expect_limit(store, &S::pitch, 16, 0);
  expect_limit(store, &S::address, 4080, 4096);
  auto accumulators = store;
  accumulators.space = isa::Space::kAccumulators;
  expect_limit(accumulators, &S::address, 1008, 1024);
}

TEST(StaticFault, Matmul) {
  const isa::Matmul matmul{.m = 1, .k = 1, .n = 1};
  using M = isa::Matmul;
  expect_limit(matmul, &M::m, 65535, 0);
  expect_limit(matmul, &M::k, 65535, 0);
  expect_limit(matmul, &M::n, 65535, 0);
  expect_limit(matmul, &M::a_address, 4092, 4096);
  expect_limit(matmul, &M::a_address, 4, 2);
  expect_limit(matmul, &M::a_pitch, 4, 6);
  expect_limit(matmul, &M::w_address, 4092, 4096);
  expect_limit(matmul, &M::w_pitch, 8, 7);
  expect_limit(matmul, &M::acc_row, 63, 64);
}

TEST(StaticFault, TransposedWeightsAreAlignedToRows) {
  Design design = tiny_design();
  design.rows = 8;
  isa::Matmul matmul{.w_address = 4, .m = 1, .k = 1, .n = 1};
  const auto fault = [&] {
    return find_static_fault(encode_all({{{}, matmul}}), design.hash(), design).code;
  };
  EXPECT_EQ(fault(), FaultCode::kNone);
  matmul.transposed = true;
  EXPECT_EQ(fault(), FaultCode::kRange);
  matmul.w_address = 8;
  EXPECT_EQ(fault(), FaultCode::kNone);
}

TEST(StaticFault, Vector) {
  using S = isa::Stream;
  expect_limit(S{.element = isa::Element::kU8}, &S::start, 4095, 4096);
  expect_limit(S{.element = isa::Element::kF32}, &S::start, 1023, 1024);
  using U = isa::Run;
  const U run{.first = 3, .last = 3, .extent0 = 1, .extent1 = 1, .extent2 = 1};
  expect_limit(run, &U::extent0, 1, 0);
  expect_limit(run, &U::extent1, 1, 0);
  expect_limit(run, &U::extent2, 1, 0);
  expect_limit(run, &U::last, 3, 2);
}

TEST(StaticFault, RoutineSteps) {
  isa::Routine routine{
      .first = 254, .count = 2, .step0 = step(load_step(0, 0)), .step1 = step(load_step(1, 0))};
  EXPECT_EQ(fault_of({{}, routine}), FaultCode::kNone);
  routine.first = 255;
  EXPECT_EQ(fault_of({{}, routine}), FaultCode::kRange);
  routine.first = 0, routine.count = 1;  // step 1 is not written and must be zero
  EXPECT_EQ(fault_of({{}, routine}), FaultCode::kField);
  routine.step1 = 0, routine.step0 = 63;
  EXPECT_EQ(fault_of({{}, routine}), FaultCode::kField);
  EXPECT_EQ(fault_of({{}, isa::Routine{}}), FaultCode::kRange);  // count 0
}

TEST(StaticFault, FirstInProgramOrderWithItsSequence) {
  const Design design = tiny_design();
  auto code = encode_all(mini_program());
  EXPECT_EQ(find_static_fault(code, design.hash(), design), Fault{});
  code[7][0] = 0xff;
  code[4] = isa::encode({sync({1}, {}), isa::Stream{}});  // the vector unit waits for it later too
  code[2][31] = 0x80;
  EXPECT_EQ(find_static_fault(code, design.hash(), design),
            (Fault{.code = FaultCode::kField, .sequence = 2}));
  code = encode_all(mini_program());
  code[8] = isa::encode({sync({1}, {}), isa::Store{.pitch = 16, .rows = 1, .row_bytes = 16}});
  EXPECT_EQ(find_static_fault(code, design.hash(), design),
            (Fault{.code = FaultCode::kWaiters, .sequence = 8}));
  EXPECT_EQ(find_static_fault(code, design.hash() + 1, design),
            (Fault{.code = FaultCode::kConfiguration, .sequence = 0}));
}

}  // namespace
}  // namespace tally
