// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/footprint.h"

#include <algorithm>

namespace tally {
namespace {

using isa::Space;

MemoryName on_chip(Space space) { return {.dram = false, .index = int(space)}; }
MemoryName behind_base(std::uint32_t base) { return {.dram = true, .index = int(base)}; }

Access rows_access(MemoryName memory, bool write, std::int64_t start, std::int64_t bytes,
                   std::int64_t rows, std::int64_t pitch) {
  return {.memory = memory,
          .write = write,
          .start = start,
          .bytes = bytes,
          .count = {1, 1, rows},
          .stride = {0, 0, pitch}};
}

std::vector<Access> accesses(const isa::Load& body, const VectorRun*, const Design&) {
  return {rows_access(behind_base(body.base), false, std::int64_t(body.offset), body.row_bytes,
                      body.rows, body.pitch),
          rows_access(on_chip(body.space), true, body.address, body.row_bytes, body.rows,
                      body.address_pitch)};
}

std::vector<Access> accesses(const isa::Gather& body, const VectorRun*, const Design& design) {
  const std::int64_t port = design.port_bytes;
  const std::int64_t index_bytes = (4 * std::int64_t(body.rows) + port - 1) / port * port;
  return {rows_access(behind_base(body.index_base), false, std::int64_t(body.index_offset),
                      index_bytes, 1, 0),
          rows_access(behind_base(body.base), false, std::int64_t(body.offset), body.row_bytes,
                      body.limit, body.pitch),
          rows_access(on_chip(body.space), true, body.address, body.row_bytes, body.rows,
                      body.address_pitch)};
}

std::vector<Access> accesses(const isa::Store& body, const VectorRun*, const Design&) {
  return {rows_access(on_chip(body.space), false, body.address, body.row_bytes, body.rows,
                      body.address_pitch),
          rows_access(behind_base(body.base), true, std::int64_t(body.offset), body.row_bytes,
                      body.rows, body.pitch)};
}

std::vector<Access> accesses(const isa::Matmul& body, const VectorRun*, const Design& design) {
  std::vector<Access> out = matmul_outputs(body, design);
  out.push_back(rows_access(on_chip(Space::kActivations), false, body.a_address, body.k, body.m,
                            body.a_pitch));
  out.push_back(rows_access(on_chip(Space::kWeights), false, body.w_address,
                            body.transposed ? body.k : body.n, body.transposed ? body.n : body.k,
                            body.w_pitch));
  return out;
}

std::vector<Access> accesses(const isa::Run&, const VectorRun* run, const Design&) {
  std::vector<Access> out;
  if (run == nullptr) return out;
  for (std::size_t i = 0; i < run->steps.size(); ++i)
    if (isa::step_spec(run->steps[i].op).stream)
      out.push_back(step_access(*run, run->steps[i], i >= run->body));
  return out;
}

template <class Other>
std::vector<Access> accesses(const Other&, const VectorRun*, const Design&) {
  return {};
}

// Ranges sorted by begin, those that touch or overlap made one.
std::vector<ByteRange> merged(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::vector<ByteRange> out;
  for (const ByteRange& range : ranges)
    if (!out.empty() && range.begin <= out.back().end)
      out.back().end = std::max(out.back().end, range.end);
    else
      out.push_back(range);
  return out;
}

}  // namespace

std::int64_t memory_bytes(const Design& design, Space space) {
  const Memory* memories[] = {&design.activations, &design.weights, &design.accumulators};
  return memories[int(space)]->bytes();
}

std::int64_t bank_bytes(const Design& design, Space space) {
  const Memory* memories[] = {&design.activations, &design.weights, &design.accumulators};
  return memories[int(space)]->bank_bytes;
}

ByteRange Access::bounds() const {
  ByteRange out{start, start + bytes};
  for (int i = 0; i < 3; ++i) {
    if (count[i] == 0) return {start, start};
    const std::int64_t last = (count[i] - 1) * stride[i];
    (last < 0 ? out.begin : out.end) += last;
  }
  return out;
}

std::vector<ByteRange> Access::ranges() const {
  std::vector<ByteRange> out;
  for (std::int64_t i = 0; i < count[0]; ++i)
    for (std::int64_t j = 0; j < count[1]; ++j) {
      const std::int64_t row = start + i * stride[0] + j * stride[1];
      if (stride[2] == bytes && count[2] > 0) {
        out.push_back({row, row + count[2] * bytes});
        continue;
      }
      for (std::int64_t k = 0; k < count[2]; ++k) {
        const std::int64_t begin = row + k * stride[2];
        if (!out.empty() && out.back().end == begin)
          out.back().end += bytes;
        else
          out.push_back({begin, begin + bytes});
        if (stride[2] == 0) break;
      }
    }
  return merged(std::move(out));
}

bool overlap(const Access& a, const Access& b) {
  if (a.memory != b.memory) return false;
  const ByteRange bounds_a = a.bounds(), bounds_b = b.bounds();
  if (bounds_a.end <= bounds_b.begin || bounds_b.end <= bounds_a.begin) return false;
  const auto ranges_a = a.ranges(), ranges_b = b.ranges();
  for (auto i = ranges_a.begin(), j = ranges_b.begin();
       i != ranges_a.end() && j != ranges_b.end();) {
    if (i->end <= j->begin)
      ++i;
    else if (j->end <= i->begin)
      ++j;
    else
      return true;
  }
  return false;
}

std::vector<Access> matmul_outputs(const isa::Matmul& body, const Design& design) {
  const std::int64_t columns = design.columns, row_bytes = 4 * columns;
  const std::int64_t whole = body.n / columns, rest = body.n % columns;
  Access tiles{.memory = on_chip(Space::kAccumulators),
               .write = true,
               .start = std::int64_t(body.acc_row) * row_bytes,
               .bytes = row_bytes,
               .count = {1, whole, body.m},
               .stride = {0, std::int64_t(body.acc_n_stride) * row_bytes,
                          std::int64_t(body.acc_m_stride) * row_bytes}};
  std::vector<Access> out;
  if (whole > 0) out.push_back(tiles);
  if (rest > 0) {
    tiles.start += whole * tiles.stride[1];
    tiles.count[1] = 1;
    tiles.bytes = 4 * rest;
    out.push_back(tiles);
  }
  return out;
}

Access step_access(const VectorRun& run, const isa::Step& step, bool tail) {
  const StreamRegister& stream = run.streams[step.stream];
  const std::int64_t bytes = stream.element_bytes();
  return {.memory = on_chip(stream.space),
          .write = step.op == isa::StepOp::kStore,
          .start = std::int64_t(stream.start) * bytes,
          .bytes = bytes,
          .count = {run.run.extent0, run.run.extent1, tail ? 1 : std::int64_t(run.run.extent2)},
          .stride = {stream.stride0 * bytes, stream.stride1 * bytes, stream.stride2 * bytes}};
}

std::vector<Access> footprint(const isa::Instruction& instruction, const VectorRun* run,
                              const Design& design) {
  return std::visit([&](const auto& body) { return accesses(body, run, design); },
                    instruction.body);
}

}  // namespace tally
