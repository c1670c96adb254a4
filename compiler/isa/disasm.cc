// SPDX-License-Identifier: Apache-2.0
#include "compiler/isa/asm.h"

namespace tally::isa {
namespace {

std::string field_text(const FieldSpec& field, std::uint64_t value) {
  switch (field.kind) {
    case FieldKind::kSigned:
      return std::to_string(std::int64_t(value << (64 - field.bits)) >> (64 - field.bits));
    case FieldKind::kSpace:
      return std::string(kSpaceNames[value]);
    case FieldKind::kElement:
      return std::string(kElementNames[value]);
    case FieldKind::kMode:
      return std::string(kAccumulateModeNames[value]);
    case FieldKind::kStep:
      return fmt::format("{{{}}}", disassemble_step(value));
    default:
      return std::to_string(value);
  }
}

std::string slots_text(std::string_view key, const std::array<std::int8_t, kSlots>& slots) {
  std::string out;
  std::size_t used = kSlots;
  while (used > 0 && slots[used - 1] < 0) --used;
  if (used == 0) return out;
  out = fmt::format(" {}=", key);
  for (std::size_t i = 0; i < used; ++i)
    out += fmt::format("{}{}", i > 0 ? "," : "", slots[i] < 0 ? "-" : std::to_string(slots[i]));
  return out;
}

std::string word_text(const Bytes32& bytes) {
  std::string out = ".word 0x";
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
    out += fmt::format("{:02x}", *byte);
  return out;
}

}  // namespace

std::string disassemble_step(std::uint64_t bits) {
  const auto step = decode_step(bits);
  if (!step) return fmt::format("0x{:x}", bits);
  const StepSpec& spec = step_spec(step->op);
  std::string out(spec.name);
  if (spec.dst) out += fmt::format(" r{}", step->dst);
  if (spec.a) out += fmt::format(" r{}", step->a);
  if (spec.b)
    out += step->immediate ? fmt::format(" 0x{:08x}", step->imm) : fmt::format(" r{}", step->b);
  if (spec.stream) out += fmt::format(" s{}", step->stream);
  return out;
}

std::string disassemble(const Bytes32& bytes) {
  Instruction instruction;
  if (decode(bytes, &instruction) != DecodeFault::kNone) return word_text(bytes);
  const InstructionSpec& spec = spec_of(opcode_of(instruction));
  const Word256 word = to_word(bytes);
  std::string out(spec.name);
  int lsb = kPayloadLsb;
  for (const FieldSpec& field : spec.fields) {
    const std::uint64_t value = get_bits(word, lsb, field.bits);
    lsb += field.bits;
    if (value != 0 || field.kind == FieldKind::kSpace || field.kind == FieldKind::kMode)
      out += fmt::format(" {}={}", field.name, field_text(field, value));
  }
  return out + slots_text("wait", instruction.sync.waits) +
         slots_text("post", instruction.sync.posts);
}

std::string disassemble_program(std::span<const Bytes32> code) {
  std::string out;
  for (std::size_t i = 0; i < code.size(); ++i)
    out += fmt::format("{}  # {}\n", disassemble(code[i]), i);
  return out;
}

}  // namespace tally::isa
