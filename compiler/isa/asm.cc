// SPDX-License-Identifier: Apache-2.0
#include "compiler/isa/asm.h"

#include <charconv>
#include <set>

#include "compiler/isa/asm_lexer.h"

namespace tally::isa {
namespace {

template <class Names>
Expected<std::uint64_t> parse_name(const FieldSpec& field, std::string_view text,
                                   const Names& names) {
  std::string known;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (text == names[i]) return i;
    known += (known.empty() ? "" : ", ") + std::string(names[i]);
  }
  return fail("field '{}' is '{}', allowed: {}", field.name, text, known);
}

Expected<std::uint64_t> parse_number(const FieldSpec& field, std::string_view text) {
  const bool is_signed = field.kind == FieldKind::kSigned;
  const std::int64_t half = std::int64_t(1) << (field.bits - 1);
  const std::int64_t low = is_signed ? -half : 0, high = is_signed ? half - 1 : 2 * half - 1;
  const auto value = number(text, is_signed);
  if (!value || *value < low || *value > high)
    return fail("field '{}' is '{}', allowed: {} to {}", field.name, text, low, high);
  return std::uint64_t(*value);
}

// A register or stream: letter and digit.
Expected<std::uint8_t> parse_operand(std::string_view text, char letter, int count) {
  if (text.size() == 2 && text[0] == letter && text[1] >= '0' && text[1] < '0' + count)
    return std::uint8_t(text[1] - '0');
  return fail("operand '{}', expected {}0 to {}{}", text, letter, letter, count - 1);
}

const StepSpec* find_step(std::string_view name) {
  for (const StepSpec& spec : kSteps)
    if (spec.name == name) return &spec;
  return nullptr;
}

Expected<std::uint64_t> parse_step_operands(const StepSpec& spec,
                                            const std::vector<std::string_view>& parts) {
  const std::size_t expected = 1u + spec.dst + spec.a + spec.b + spec.stream;
  if (parts.size() != expected)
    return fail("step {} has {} operands, expected {}", spec.name, parts.size() - 1, expected - 1);
  Step step{.op = StepOp(spec.code)};
  std::size_t next = 1;
  if (spec.dst) {
    TALLY_ASSIGN(step.dst, parse_operand(parts[next++], 'r', kLaneRegisters));
  }
  if (spec.a) {
    TALLY_ASSIGN(step.a, parse_operand(parts[next++], 'r', kLaneRegisters));
  }
  if (spec.b) {
    const std::string_view text = parts[next++];
    const auto immediate = number(text, false);
    step.immediate = immediate && *immediate <= 0xffffffff;
    if (step.immediate) {
      step.imm = std::uint32_t(*immediate);
    } else {
      TALLY_ASSIGN(step.b, parse_operand(text, 'r', kLaneRegisters));
    }
  }
  if (spec.stream) {
    TALLY_ASSIGN(step.stream, parse_operand(parts[next], 's', kStreams));
  }
  return encode_step(step);
}

// Steps stand in braces; bits that are no step are one hexadecimal number.
Expected<std::uint64_t> parse_step(const FieldSpec& field, std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}') || text.size() < 2)
    return fail("field '{}' is '{}', expected a step in braces", field.name, text);
  const std::string_view inner = text.substr(1, text.size() - 2);
  const auto parts = split(inner, " \t");
  if (parts.empty()) return fail("field '{}' has an empty step", field.name);
  if (parts.size() == 1 && parts[0].starts_with("0x")) {
    std::uint64_t bits = 0;
    const std::string_view digits = parts[0].substr(2);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (result.ec == std::errc() && result.ptr == digits.data() + digits.size()) return bits;
  }
  const StepSpec* spec = find_step(parts[0]);
  if (spec == nullptr) return fail("unknown step '{}'", parts[0]);
  return parse_step_operands(*spec, parts);
}

Expected<std::uint64_t> parse_field(const FieldSpec& field, std::string_view text) {
  switch (field.kind) {
    case FieldKind::kSpace:
      return parse_name(field, text, kSpaceNames);
    case FieldKind::kElement:
      return parse_name(field, text, kElementNames);
    case FieldKind::kMode:
      return parse_name(field, text, kAccumulateModeNames);
    case FieldKind::kStep:
      return parse_step(field, text);
    default:
      return parse_number(field, text);
  }
}

Status parse_slots(std::string_view key, std::string_view text, int lsb, Word256* word) {
  const auto parts = split(text, ",", true);
  if (parts.size() > std::size_t(kSlots))
    return fail("'{}' lists {} semaphores, at most {}", key, parts.size(), kSlots);
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "-") continue;
    const auto semaphore = number(parts[i], false);
    if (!semaphore || *semaphore >= kSemaphores)
      return fail("'{}' names semaphore '{}', allowed: 0 to {}", key, parts[i], kSemaphores - 1);
    if (!seen.insert(*semaphore).second)
      return fail("'{}' names semaphore {} twice", key, *semaphore);
    set_bits(word, lsb + int(i) * kSlotBits, kSlotBits,
             1u << kSemaphoreBits | std::uint64_t(*semaphore));
  }
  return {};
}

Status parse_pair(const InstructionSpec& spec, std::string_view key, std::string_view value,
                  Word256* word) {
  if (key == "wait") return parse_slots(key, value, kWaitLsb, word);
  if (key == "post") return parse_slots(key, value, kPostLsb, word);
  int lsb = kPayloadLsb;
  for (const FieldSpec& field : spec.fields) {
    if (field.name == key) {
      TALLY_ASSIGN(const std::uint64_t bits, parse_field(field, value));
      set_bits(word, lsb, field.bits, bits);
      return {};
    }
    lsb += field.bits;
  }
  return fail("{} has no field '{}'", spec.name, key);
}

Expected<Bytes32> parse_word(const std::vector<std::string_view>& parts) {
  Bytes32 bytes;
  if (parts.size() != 2 || !parts[1].starts_with("0x") || parts[1].size() != 2 + 2 * bytes.size())
    return fail(".word takes 0x and {} hexadecimal digits", 2 * bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* digits = parts[1].data() + 2 + 2 * (bytes.size() - 1 - i);
    const auto result = std::from_chars(digits, digits + 2, bytes[i], 16);
    if (result.ec != std::errc() || result.ptr != digits + 2)
      return fail(".word takes 0x and {} hexadecimal digits", 2 * bytes.size());
  }
  return bytes;
}

}  // namespace

Expected<Bytes32> assemble_line(std::string_view line) {
  const auto parts = words(strip(line));
  if (parts.empty()) return fail("no instruction");
  if (parts[0] == ".word") return parse_word(parts);
  const InstructionSpec* spec = nullptr;
  for (const InstructionSpec& candidate : kInstructions)
    if (candidate.name == parts[0]) spec = &candidate;
  if (spec == nullptr) return fail("unknown instruction '{}'", parts[0]);
  Word256 word{};
  set_bits(&word, 0, kOpcodeBits, spec->opcode);
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) return fail("'{}', expected field=value", parts[i]);
    const std::string_view key = parts[i].substr(0, equals);
    if (!seen.insert(key).second) return fail("field '{}' is given twice", key);
    TALLY_TRY(parse_pair(*spec, key, parts[i].substr(equals + 1), &word));
  }
  return to_bytes(word);
}

Expected<std::vector<Bytes32>> assemble(std::string_view text, const std::string& file) {
  std::vector<Bytes32> code;
  int line_number = 0;
  for (std::string_view line : split(text, "\n", true)) {
    ++line_number;
    if (strip(line).empty()) continue;
    const auto bytes = assemble_line(line);
    if (!bytes) return fail("{}: line {}: {}", file, line_number, bytes.error().message);
    code.push_back(*bytes);
  }
  return code;
}

}  // namespace tally::isa
