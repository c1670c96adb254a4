// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "models/verify/random_bodies.h"

namespace tally {
namespace {

std::int64_t round_down(std::int64_t value, std::int64_t unit) { return value / unit * unit; }

struct Shape {
  std::int64_t rows, row_bytes, chip_pitch, dram_pitch;

  std::int64_t chip_span() const { return (rows - 1) * chip_pitch + row_bytes; }
  std::int64_t dram_span() const { return (rows - 1) * dram_pitch + row_bytes; }
};

// Mostly a few short rows; now and then a long one, which is cut into several bursts.
Shape random_shape(BodyContext& context, std::int64_t chip_bytes, std::int64_t dram_bytes) {
  Random& random = context.random;
  const std::int64_t port = context.design.port_bytes;
  const std::int64_t limit = std::min(chip_bytes, dram_bytes) / 2;
  Shape shape{};
  if (random.chance(12)) {
    shape.rows = 1;
    shape.row_bytes = port * random.between(1, std::min(limit / port, std::int64_t(300)));
  } else {
    shape.rows = random.pick<std::int64_t>({1, 1, 2, 3, 4, 7, 8, 9, 16, 17});
    shape.row_bytes = port * random.pick<std::int64_t>({1, 1, 2, 3, 4, 5, 8});
    while (shape.rows > 1 && shape.rows * shape.row_bytes > limit) shape.rows /= 2;
    shape.row_bytes = std::min(shape.row_bytes, round_down(limit, port));
  }
  shape.chip_pitch = shape.row_bytes + port * random.pick<std::int64_t>({0, 0, 0, 1, 2});
  shape.dram_pitch = shape.row_bytes + port * random.pick<std::int64_t>({0, 0, 1, 3, 17});
  while (shape.rows > 1 && (shape.chip_span() > chip_bytes || shape.dram_span() > dram_bytes))
    --shape.rows;
  return shape;
}

// A pitch that is never used: any multiple of the port width.
std::uint32_t idle_pitch(BodyContext& context, int bits) {
  const std::int64_t steps = (std::int64_t(1) << bits) / context.design.port_bytes;
  const std::int64_t step =
      context.random.pick<std::int64_t>({0, 1, steps - 1, steps - 1, steps / 2});
  return std::uint32_t(step * context.design.port_bytes);
}

std::int64_t random_offset(BodyContext& context, std::int64_t region, std::int64_t span) {
  Random& random = context.random;
  const std::int64_t port = context.design.port_bytes, last = round_down(region - span, port);
  if (random.chance(10)) return 0;
  if (random.chance(10)) return last;
  return port * random.between(0, last / port);
}

isa::Space random_scratchpad(Random& random) {
  return random.chance(50) ? isa::Space::kActivations : isa::Space::kWeights;
}

}  // namespace

std::int64_t random_place(BodyContext& context, isa::Unit user, isa::Space space, std::int64_t span,
                          std::int64_t unit) {
  Random& random = context.random;
  const std::int64_t last = round_down(memory_bytes(context.design, space) - span, unit);
  TALLY_CHECK(last >= 0, "{} bytes do not fit", span);
  if (random.chance(8)) return 0;
  if (random.chance(8)) return last;
  const std::int64_t size = bank_bytes(context.design, space);
  std::int64_t bank = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    bank = random.below(memory_bytes(context.design, space) / size);
    if (!context.planner.contended(user, space, bank)) break;
  }
  const std::int64_t room = std::max<std::int64_t>(size - span, 0);
  const std::int64_t within = random.chance(50) ? 0 : unit * random.between(0, room / unit);
  return std::min(last, round_down(bank * size + within, unit));
}

isa::Load random_load(BodyContext& context) {
  Random& random = context.random;
  isa::Load load;
  const bool operands = random.chance(80);
  const std::int64_t region = operands ? DramPlan::kOperandBytes : DramPlan::kResultBytes;
  load.space = random_scratchpad(random);
  Shape shape = random_shape(context, memory_bytes(context.design, load.space), region);
  if (random.chance(10)) shape.dram_pitch = 0;  // the same row again and again
  load.base = std::uint32_t(operands ? context.dram.operands : context.dram.results);
  load.offset = std::uint64_t(random_offset(context, region, shape.dram_span()));
  load.rows = std::uint32_t(shape.rows);
  load.row_bytes = std::uint32_t(shape.row_bytes);
  load.pitch = shape.rows == 1 ? idle_pitch(context, 24) : std::uint32_t(shape.dram_pitch);
  load.address_pitch = shape.rows == 1 ? idle_pitch(context, 20) : std::uint32_t(shape.chip_pitch);
  load.address = std::uint32_t(random_place(context, isa::Unit::kLoad, load.space,
                                            shape.chip_span(), context.design.port_bytes));
  return load;
}

isa::Store random_store(BodyContext& context) {
  Random& random = context.random;
  isa::Store store;
  store.space = random.pick({isa::Space::kActivations, isa::Space::kWeights,
                             isa::Space::kAccumulators, isa::Space::kAccumulators});
  Shape shape =
      random_shape(context, memory_bytes(context.design, store.space), DramPlan::kResultBytes);
  if (random.chance(10)) shape.chip_pitch = 0;
  store.base = std::uint32_t(context.dram.results);
  store.offset = std::uint64_t(random_offset(context, DramPlan::kResultBytes, shape.dram_span()));
  store.rows = std::uint32_t(shape.rows);
  store.row_bytes = std::uint32_t(shape.row_bytes);
  store.pitch = shape.rows == 1 ? idle_pitch(context, 24) : std::uint32_t(shape.dram_pitch);
  store.address_pitch = shape.rows == 1 ? idle_pitch(context, 20) : std::uint32_t(shape.chip_pitch);
  store.address = std::uint32_t(random_place(context, isa::Unit::kStore, store.space,
                                             shape.chip_span(), context.design.port_bytes));
  return store;
}

std::optional<isa::Gather> random_gather(BodyContext& context) {
  Random& random = context.random;
  const std::int64_t port = context.design.port_bytes;
  isa::Gather gather;
  gather.space = random_scratchpad(random);
  const std::int64_t memory = memory_bytes(context.design, gather.space);
  std::int64_t rows = random.pick<std::int64_t>({1, 2, 5, 8, 16, 33, 63, 64, 64});
  const std::int64_t row_bytes = port * random.pick<std::int64_t>({1, 1, 2, 3});
  const std::int64_t chip_pitch = row_bytes + port * random.below(2);
  rows = std::min(rows, memory / chip_pitch);
  const std::int64_t index_bytes = (4 * rows + port - 1) / port * port;
  if (context.dram.index_used + index_bytes > DramPlan::kIndexBytes) return std::nullopt;
  const std::int64_t pitch = row_bytes + port * random.below(4);
  const std::int64_t most = DramPlan::kOperandBytes / pitch;
  const std::int64_t limit = random.pick<std::int64_t>({1, 2, 7, 64, most});
  gather.base = std::uint32_t(context.dram.operands);
  gather.pitch = std::uint32_t(pitch);
  gather.limit = std::uint32_t(std::min(limit, most));
  gather.offset = std::uint64_t(
      random_offset(context, DramPlan::kOperandBytes, std::int64_t(gather.limit) * pitch));
  gather.rows = std::uint32_t(rows);
  gather.row_bytes = std::uint32_t(row_bytes);
  gather.address_pitch = rows == 1 ? idle_pitch(context, 20) : std::uint32_t(chip_pitch);
  gather.address = std::uint32_t(random_place(context, isa::Unit::kLoad, gather.space,
                                              (rows - 1) * chip_pitch + row_bytes, port));
  gather.index_base = std::uint32_t(context.dram.indices);
  gather.index_offset = std::uint64_t(context.dram.index_used);
  context.dram.index_data.resize(std::size_t(DramPlan::kIndexBytes));
  // What fills the last beat is not an index and may be anything.
  for (std::int64_t i = 0; i < index_bytes / 4; ++i) {
    const auto index = i < rows ? std::int32_t(random.below(gather.limit)) : -1;
    std::memcpy(context.dram.index_data.data() + context.dram.index_used + 4 * i, &index, 4);
  }
  context.dram.index_used += index_bytes;
  return gather;
}

}  // namespace tally
