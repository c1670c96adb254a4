// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/program_codec.h"

#include <cstring>
#include <string>
#include <type_traits>

namespace tally {
namespace {

// One description of the fields serves both directions: `archive(x)` writes x or reads it.
struct Writer {
  std::vector<std::uint8_t> out;

  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(std::uint8_t(value >> 8 * i));
  }
  void raw(const void* data, std::size_t bytes) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), begin, begin + bytes);
  }
};

struct Reader {
  std::span<const std::uint8_t> in;
  bool ok = true;

  bool take(std::size_t bytes) {
    ok = ok && bytes <= in.size();
    return ok;
  }
  std::uint64_t number(int bytes) {
    if (!take(std::size_t(bytes))) return 0;
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= std::uint64_t(in[i]) << 8 * i;
    in = in.subspan(std::size_t(bytes));
    return value;
  }
  void raw(void* data, std::size_t bytes) {
    if (!take(bytes)) return;
    if (bytes != 0) std::memcpy(data, in.data(), bytes);
    in = in.subspan(bytes);
  }
};

template <class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
void archive(Writer& writer, const T& value) { writer.number(std::uint64_t(value), sizeof(T)); }
template <class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
void archive(Reader& reader, T& value) { value = T(reader.number(sizeof(T))); }

template <class A, class S>
void fields(A& a, S& program);

void archive(Writer& writer, const std::string& text) {
  writer.number(text.size(), 8);
  writer.raw(text.data(), text.size());
}
void archive(Reader& reader, std::string& text) {
  const std::uint64_t size = reader.number(8);
  if (!reader.take(size)) return;
  text.resize(size);
  reader.raw(text.data(), size);
}

void archive(Writer& writer, const isa::Bytes32& bytes) { writer.raw(bytes.data(), bytes.size()); }
void archive(Reader& reader, isa::Bytes32& bytes) { reader.raw(bytes.data(), bytes.size()); }

template <class A>
void archive(A& a, auto& pair) requires requires {
  pair.first;
}
{
  archive(a, pair.first);
  archive(a, pair.second);
}

template <class A, class T>
concept Record = std::is_same_v<std::remove_const_t<T>, Region> ||
    std::is_same_v<std::remove_const_t<T>, Segment> ||
    std::is_same_v<std::remove_const_t<T>, Binding> ||
    std::is_same_v<std::remove_const_t<T>, ProgramNode>;

template <class A, class T>
requires Record<A, T>
void archive(A& a, T& record) { fields(a, record); }

template <class T>
void archive(Writer& writer, const std::vector<T>& list) {
  writer.number(list.size(), 8);
  if constexpr (std::is_same_v<T, std::uint8_t>)
    writer.raw(list.data(), list.size());
  else
    for (const T& item : list) archive(writer, item);
}
// An item takes at least one byte, so a false length stops at the end of the input.
template <class T>
void archive(Reader& reader, std::vector<T>& list) {
  const std::uint64_t size = reader.number(8);
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    if (!reader.take(size)) return;
    list.resize(size);
    reader.raw(list.data(), size);
  } else {
    for (std::uint64_t i = 0; i < size && reader.ok; ++i) archive(reader, list.emplace_back());
  }
}

template <class A, class S>
void fields(A& a, S& s) {
  using T = std::remove_const_t<S>;
  if constexpr (std::is_same_v<T, Region>) {
    archive(a, s.name), archive(a, s.base_register), archive(a, s.bytes);
  } else if constexpr (std::is_same_v<T, Segment>) {
    archive(a, s.region), archive(a, s.offset), archive(a, s.bytes);
  } else if constexpr (std::is_same_v<T, Binding>) {
    archive(a, s.name), archive(a, s.region), archive(a, s.offset), archive(a, s.element);
    archive(a, s.rows), archive(a, s.columns), archive(a, s.pitch_bytes);
  } else if constexpr (std::is_same_v<T, ProgramNode>) {
    archive(a, s.name), archive(a, s.op), archive(a, s.macs);
  } else {
    archive(a, s.model), archive(a, s.recipe), archive(a, s.design), archive(a, s.design_hash);
    archive(a, s.design_keys), archive(a, s.code), archive(a, s.regions), archive(a, s.segments);
    archive(a, s.inputs), archive(a, s.outputs), archive(a, s.nodes);
    archive(a, s.node_of_instruction), archive(a, s.code_address), archive(a, s.stall_seed);
  }
}

Status check_binding(const Program& program, const Binding& binding) {
  if (binding.region < 0 || std::size_t(binding.region) >= program.regions.size())
    return fail("binding '{}' names region {}, which is not there", binding.name, binding.region);
  if (std::uint8_t(binding.element) >= std::size(isa::kElementNames))
    return fail("binding '{}' has an unknown element type", binding.name);
  if (binding.rows < 0 || binding.columns < 0 || binding.pitch_bytes < 0)
    return fail("binding '{}' has a negative size", binding.name);
  return {};
}

Status check_references(const Program& program) {
  for (const Region& region : program.regions)
    if (region.base_register < 0 || region.base_register >= isa::kBaseRegisters)
      return fail("region '{}' has base register {}", region.name, region.base_register);
  for (const Segment& segment : program.segments) {
    if (segment.region < 0 || std::size_t(segment.region) >= program.regions.size())
      return fail("a segment names region {}, which is not there", segment.region);
    const std::uint64_t size = program.regions[std::size_t(segment.region)].bytes;
    if (segment.offset > size || segment.bytes.size() > size - segment.offset)
      return fail("a segment reaches beyond its region '{}'",
                  program.regions[std::size_t(segment.region)].name);
  }
  for (const auto* bindings : {&program.inputs, &program.outputs})
    for (const Binding& binding : *bindings) TALLY_TRY(check_binding(program, binding));
  for (std::uint32_t node : program.node_of_instruction)
    if (node >= program.nodes.size()) return fail("an instruction names node {}", node);
  if (!program.node_of_instruction.empty() &&
      program.node_of_instruction.size() != program.code.size())
    return fail("the node map has {} entries for {} instructions",
                program.node_of_instruction.size(), program.code.size());
  return {};
}

}  // namespace

std::vector<std::uint8_t> encode_program(const Program& program) {
  Writer writer;
  fields(writer, program);
  return std::move(writer.out);
}

Expected<Program> decode_program(std::span<const std::uint8_t> bytes) {
  Reader reader{bytes};
  Program program;
  fields(reader, program);
  if (!reader.ok) return fail("it ends too early");
  if (!reader.in.empty()) return fail("it has {} bytes too many", reader.in.size());
  TALLY_TRY(check_references(program));
  return program;
}

}  // namespace tally
