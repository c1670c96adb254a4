// SPDX-License-Identifier: Apache-2.0
#include "models/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "models/io/json.h"
#include "models/numeric/registry.h"

namespace tally::io {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are viewed in place");

constexpr std::size_t kLengthBytes = 8;
// The format's own limit.
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

struct Dtype {
  std::string_view name;
  std::uint64_t bits;
};
// All dtypes that the format defines.
constexpr auto kDtypes = std::to_array<Dtype>(
    {{"BOOL", 8},    {"U8", 8},   {"I8", 8},      {"F8_E5M2", 8}, {"F8_E4M3", 8},
     {"F8_E8M0", 8}, {"F4", 4},   {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"I16", 16},
     {"U16", 16},    {"F16", 16}, {"BF16", 16},   {"I32", 32},    {"U32", 32},
     {"F32", 32},    {"F64", 64}, {"I64", 64},    {"U64", 64},    {"C64", 64}});

const Dtype* find_dtype(std::string_view name) {
  auto found = std::ranges::find(kDtypes, name, &Dtype::name);
  return found == kDtypes.end() ? nullptr : &*found;
}

// a x b, absent where it does not fit.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// Bytes of a tensor; absent where the size overflows or is not whole bytes.
std::optional<std::uint64_t> tensor_bytes(const Dtype& dtype, const ir::Shape& shape) {
  std::optional<std::uint64_t> bits = dtype.bits;
  for (std::int64_t dimension : shape)
    if (bits) bits = product(*bits, static_cast<std::uint64_t>(dimension));
  if (!bits || *bits % 8 != 0) return std::nullopt;
  return *bits / 8;
}

bool is_size(const json& value) {
  return value.is_number_unsigned() &&
         value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
}

Expected<ir::Shape> read_shape(const json& tensor) {
  auto found = tensor.find("shape");
  if (found == tensor.end() || !found->is_array()) return fail("'shape' is missing or not a list");
  ir::Shape shape;
  for (const json& dimension : *found) {
    if (!is_size(dimension)) return fail("'shape' holds something that is not a size");
    shape.push_back(dimension.get<std::int64_t>());
  }
  return shape;
}

Status read_offsets(const json& tensor, TensorEntry& entry) {
  auto found = tensor.find("data_offsets");
  bool good = found != tensor.end() && found->is_array() && found->size() == 2 &&
              is_size((*found)[0]) && is_size((*found)[1]);
  if (!good) return fail("'data_offsets' is missing or not two sizes");
  entry.begin = (*found)[0].get<std::uint64_t>();
  entry.end = (*found)[1].get<std::uint64_t>();
  if (entry.end < entry.begin) return fail("'data_offsets' end before they begin");
  return {};
}

Expected<TensorEntry> read_entry(const json& tensor, std::uint64_t data_bytes) {
  if (!tensor.is_object()) return fail("not a JSON object");
  auto found = tensor.find("dtype");
  if (found == tensor.end() || !found->is_string())
    return fail("'dtype' is missing or not a string");
  TensorEntry entry;
  entry.dtype = found->get<std::string>();
  const Dtype* dtype = find_dtype(entry.dtype);
  if (dtype == nullptr) return fail("unknown dtype '{}'", entry.dtype);
  TALLY_ASSIGN(entry.shape, read_shape(tensor));
  TALLY_TRY(read_offsets(tensor, entry));
  if (entry.end > data_bytes)
    return fail("ends at byte {} of the data, but the file holds {} (truncated?)", entry.end,
                data_bytes);
  auto bytes = tensor_bytes(*dtype, entry.shape);
  if (!bytes || *bytes != entry.end - entry.begin)
    return fail("{} of {} does not take the {} bytes that it has", ir::shape_text(entry.shape),
                entry.dtype, entry.end - entry.begin);
  return entry;
}

Expected<std::map<std::string, std::string>> read_metadata(const json& value) {
  if (!value.is_object()) return fail("not a JSON object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) return fail("'{}' is not a string", key);
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

// First element whose exponent bits are all set, i.e. a NaN or an infinity.
template <class Word>
std::optional<std::size_t> first_non_finite(std::span<const std::byte> bytes, Word exponent) {
  for (std::size_t i = 0; i + sizeof(Word) <= bytes.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, bytes.data() + i, sizeof(Word));
    if ((word & exponent) == exponent) return i / sizeof(Word);
  }
  return std::nullopt;
}

tl::unexpected<Error> unsupported(const std::string& path, const std::string& name,
                                  const TensorEntry& entry) {
  return fail("{}: tensor '{}': dtype {} is not a weight format (F32, F16, BF16)", path, name,
              entry.dtype);
}

}  // namespace

Expected<Safetensors> Safetensors::open(const std::string& path) {
  TALLY_ASSIGN(auto file, MappedFile::open(path));
  std::span<const std::byte> bytes = file->bytes();
  if (bytes.empty()) return fail("{}: empty file", path);
  if (bytes.size() < kLengthBytes)
    return fail("{}: {} bytes are no safetensors file", path, bytes.size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeaderBytes || length > bytes.size() - kLengthBytes)
    return fail("{}: header of {} bytes in a file of {}: truncated, or not a safetensors file",
                path, length, bytes.size());
  Safetensors tensors(file, kLengthBytes + length);
  TALLY_TRY(
      tensors.read_header({reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length}));
  TALLY_TRY(tensors.check_ranges());
  return tensors;
}

Status Safetensors::read_header(std::string_view header) {
  TALLY_ASSIGN(json value, parse_json(header, path() + ": header"));
  if (!value.is_object()) return fail("{}: header: not a JSON object", path());
  std::uint64_t data_bytes = file_->bytes().size() - data_begin_;
  for (const auto& [name, tensor] : value.items()) {
    if (name == "__metadata__") {
      auto metadata = read_metadata(tensor);
      if (!metadata) return fail("{}: __metadata__: {}", path(), metadata.error().message);
      metadata_ = std::move(*metadata);
      continue;
    }
    auto entry = read_entry(tensor, data_bytes);
    if (!entry) return fail("{}: tensor '{}': {}", path(), name, entry.error().message);
    entries_.emplace(name, std::move(*entry));
  }
  if (entries_.empty()) return fail("{}: no tensors", path());
  return {};
}

// The tensors tile the data: none overlaps another, and no byte belongs to none.
Status Safetensors::check_ranges() const {
  using Named = std::pair<const std::string, TensorEntry>;
  std::vector<const Named*> sorted;
  for (const Named& named : entries_) sorted.push_back(&named);
  std::ranges::sort(sorted, {}, [](const Named* named) {
    return std::pair(named->second.begin, named->second.end);
  });
  std::uint64_t end = 0;
  const std::string* before = nullptr;
  for (const Named* named : sorted) {
    const auto& [name, entry] = *named;
    if (entry.begin < end)
      return fail("{}: tensors '{}' and '{}' share bytes", path(), *before, name);
    if (entry.begin > end)
      return fail("{}: bytes {} to {} in front of tensor '{}' belong to no tensor", path(), end,
                  entry.begin, name);
    end = entry.end;
    before = &name;
  }
  std::uint64_t data_bytes = file_->bytes().size() - data_begin_;
  if (end < data_bytes)
    return fail("{}: {} bytes after the last tensor '{}' belong to no tensor", path(),
                data_bytes - end, *before);
  return {};
}

const TensorEntry* Safetensors::find(const std::string& name) const {
  auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

std::span<const std::byte> Safetensors::bytes_of(const TensorEntry& entry) const {
  return file_->bytes().subspan(data_begin_ + entry.begin, entry.end - entry.begin);
}

Expected<ir::Tensor> Safetensors::load(const std::string& name) const {
  const TensorEntry& entry = entries_.at(name);
  std::span<const std::byte> bytes = bytes_of(entry);
  if (entry.dtype == "F32") {
    bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(float) == 0;
    if (aligned)
      return ir::Tensor::view({ir::Format::kF32, entry.shape},
                              std::shared_ptr<const void>(file_, bytes.data()));
    std::vector<float> copy(bytes.size() / sizeof(float));
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return ir::Tensor::of(entry.shape, std::move(copy));
  }
  if (entry.dtype != "F16" && entry.dtype != "BF16") return unsupported(path(), name, entry);
  auto format = find_format(entry.dtype == "F16" ? "f16" : "bf16");
  TALLY_CHECK(format.has_value(), "{}", entry.dtype);
  std::span raw(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return ir::Tensor::of(entry.shape, to_floats(*format, raw, bytes.size() / 2));
}

Status Safetensors::check_finite(const std::string& name) const {
  const TensorEntry& entry = entries_.at(name);
  std::optional<std::size_t> found;
  if (entry.dtype == "F32")
    found = first_non_finite<std::uint32_t>(bytes_of(entry), 0x7f800000);
  else if (entry.dtype == "F16")
    found = first_non_finite<std::uint16_t>(bytes_of(entry), 0x7c00);
  else if (entry.dtype == "BF16")
    found = first_non_finite<std::uint16_t>(bytes_of(entry), 0x7f80);
  else
    return unsupported(path(), name, entry);
  if (found) return fail("{}: tensor '{}': element {} is NaN or infinite", path(), name, *found);
  return {};
}

}  // namespace tally::io
