// SPDX-License-Identifier: Apache-2.0
#include "compiler/isa/isa.h"

#include <cstring>

namespace tally::isa {
namespace {

std::uint64_t mask(int bits) { return bits == 64 ? ~0ULL : (1ULL << bits) - 1; }

void encode_slots(Word256* word, int lsb, const std::array<std::int8_t, kSlots>& slots) {
  for (int i = 0; i < kSlots; ++i)
    if (slots[i] >= 0)
      set_bits(word, lsb + i * kSlotBits, kSlotBits, (1u << kSemaphoreBits) | unsigned(slots[i]));
}

// An unused slot is all zero; a used one names a semaphore that no other slot of the list names.
bool decode_slots(const Word256& word, int lsb, std::array<std::int8_t, kSlots>* slots) {
  std::uint32_t seen = 0;
  for (int i = 0; i < kSlots; ++i) {
    const auto bits = std::uint32_t(get_bits(word, lsb + i * kSlotBits, kSlotBits));
    (*slots)[i] = -1;
    if (bits == 0) continue;
    if (!(bits >> kSemaphoreBits)) return false;
    const std::uint32_t semaphore = bits & (kSemaphores - 1);
    if (seen >> semaphore & 1) return false;
    seen |= 1u << semaphore;
    (*slots)[i] = std::int8_t(semaphore);
  }
  return true;
}

bool payload_is_clear_from(const Word256& word, int lsb) {
  for (int bit = lsb; bit < kInstructionBits; ++bit)
    if (get_bits(word, bit, 1)) return false;
  return true;
}

bool field_in_range(const FieldSpec& field, std::uint64_t value) {
  switch (field.kind) {
    case FieldKind::kSpace:
      return value < std::size(kSpaceNames);
    case FieldKind::kElement:
      return value < std::size(kElementNames);
    case FieldKind::kMode:
      return value < std::size(kAccumulateModeNames);
    default:
      return true;
  }
}

const InstructionSpec* find_spec(std::uint64_t opcode) {
  for (const InstructionSpec& spec : kInstructions)
    if (spec.opcode == opcode) return &spec;
  return nullptr;
}

bool fields_in_range(const InstructionSpec& spec, const Word256& word) {
  int lsb = kPayloadLsb;
  for (const FieldSpec& field : spec.fields) {
    if (!field_in_range(field, get_bits(word, lsb, field.bits))) return false;
    lsb += field.bits;
  }
  return payload_is_clear_from(word, lsb);
}

}  // namespace

std::uint64_t get_bits(const Word256& word, int lsb, int bits) {
  const int index = lsb / 64, shift = lsb % 64;
  std::uint64_t value = word[index] >> shift;
  if (shift + bits > 64) value |= word[index + 1] << (64 - shift);
  return value & mask(bits);
}

void set_bits(Word256* word, int lsb, int bits, std::uint64_t value) {
  const int index = lsb / 64, shift = lsb % 64;
  value &= mask(bits);
  (*word)[index] = ((*word)[index] & ~(mask(bits) << shift)) | value << shift;
  if (shift + bits > 64) {
    const int low = 64 - shift;
    (*word)[index + 1] = ((*word)[index + 1] & ~(mask(bits) >> low)) | value >> low;
  }
}

Word256 to_word(const Bytes32& bytes) {
  static_assert(std::endian::native == std::endian::little);
  return std::bit_cast<Word256>(bytes);
}

Bytes32 to_bytes(const Word256& word) { return std::bit_cast<Bytes32>(word); }

Opcode opcode_of(const Instruction& instruction) { return kOpcodeOfBody[instruction.body.index()]; }

const InstructionSpec& spec_of(Opcode opcode) {
  const InstructionSpec* spec = find_spec(std::uint64_t(opcode));
  TALLY_CHECK(spec != nullptr);
  return *spec;
}

Unit unit_of(const Instruction& instruction) { return spec_of(opcode_of(instruction)).unit; }

Bytes32 encode(const Instruction& instruction) {
  Word256 word{};
  set_bits(&word, 0, kOpcodeBits, std::uint64_t(opcode_of(instruction)));
  encode_slots(&word, kWaitLsb, instruction.sync.waits);
  encode_slots(&word, kPostLsb, instruction.sync.posts);
  std::visit([&](const auto& body) { encode_body(body, &word); }, instruction.body);
  return to_bytes(word);
}

DecodeFault decode(const Bytes32& bytes, Instruction* out) {
  const Word256 word = to_word(bytes);
  const InstructionSpec* spec = find_spec(get_bits(word, 0, kOpcodeBits));
  if (spec == nullptr) return DecodeFault::kOpcode;
  const int header_end = kPostLsb + kSlots * kSlotBits;
  if (!decode_slots(word, kWaitLsb, &out->sync.waits) ||
      !decode_slots(word, kPostLsb, &out->sync.posts) ||
      get_bits(word, header_end, kPayloadLsb - header_end) != 0 || !fields_in_range(*spec, word))
    return DecodeFault::kField;
  decode_body(Opcode(spec->opcode), word, &out->body);
  return DecodeFault::kNone;
}

const StepSpec& step_spec(StepOp op) {
  for (const StepSpec& spec : kSteps)
    if (spec.code == std::uint8_t(op)) return spec;
  TALLY_CHECK(false, "step {}", int(op));
  __builtin_unreachable();
}

std::uint64_t encode_step(const Step& step) {
  return std::uint64_t(step.op) << kStepOpLsb | std::uint64_t(step.dst) << kStepDstLsb |
         std::uint64_t(step.a) << kStepALsb | std::uint64_t(step.b) << kStepBLsb |
         std::uint64_t(step.immediate) << kStepImmediateFlagLsb |
         std::uint64_t(step.stream) << kStepStreamLsb |
         std::uint64_t(step.imm) << kStepImmediateLsb;
}

Expected<Step> decode_step(std::uint64_t bits) {
  const StepSpec* spec = nullptr;
  for (const StepSpec& candidate : kSteps)
    if (candidate.code == (bits & 63)) spec = &candidate;
  if (spec == nullptr) return fail("step operation {} is not defined", bits & 63);
  Step step;
  step.op = StepOp(spec->code);
  step.dst = bits >> kStepDstLsb & 7;
  step.a = bits >> kStepALsb & 7;
  step.b = bits >> kStepBLsb & 7;
  step.immediate = bits >> kStepImmediateFlagLsb & 1;
  step.stream = bits >> kStepStreamLsb & 7;
  step.imm = std::uint32_t(bits >> kStepImmediateLsb);
  const bool clean = encode_step(step) == bits && (spec->dst || step.dst == 0) &&
                     (spec->a || step.a == 0) && (spec->b || !step.immediate) &&
                     ((spec->b && !step.immediate) || step.b == 0) &&
                     (spec->stream || step.stream == 0) && (step.immediate || step.imm == 0);
  if (!clean) return fail("step {} has bits in fields that it does not use", spec->name);
  return step;
}

}  // namespace tally::isa
