// SPDX-License-Identifier: Apache-2.0
// The type of an IR value: element format, shape and memory space, with its text form.
// Text: FORMAT[D0,D1,...] and, where a space is assigned, @SPACE: `i8[128,64]@activations`. A
// scalar is `f32[]`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"

namespace tally::ir {

// X(enumerator, name, bytes per element)
#define TALLY_IR_FORMATS(X) \
  X(kF32, f32, 4)           \
  X(kF16, f16, 2)           \
  X(kBf16, bf16, 2)         \
  X(kI8, i8, 1)             \
  X(kU8, u8, 1)             \
  X(kI32, i32, 4)

// X(enumerator, name). kNone: not assigned yet.
#define TALLY_IR_SPACES(X)     \
  X(kNone, none)               \
  X(kDram, dram)               \
  X(kActivations, activations) \
  X(kWeights, weights)         \
  X(kAccumulators, accumulators)

#define TALLY_IR_ENUM(enumerator, ...) enumerator,
enum class Format { TALLY_IR_FORMATS(TALLY_IR_ENUM) };
enum class Space { TALLY_IR_SPACES(TALLY_IR_ENUM) };
#undef TALLY_IR_ENUM

std::string_view format_name(Format format);
std::int64_t format_bytes(Format format);
Expected<Format> parse_format(std::string_view name);
std::string_view space_name(Space space);
Expected<Space> parse_space(std::string_view name);

using Shape = std::vector<std::int64_t>;

// Product of the dimensions (1 for a scalar). The dimensions are those of a checked type.
std::int64_t element_count(const Shape& shape);
// "[2,3]"
std::string shape_text(const Shape& shape);
// An error unless every dimension is at least 1 and the element count is at most 2^40.
Status check_shape(const Shape& shape);

struct Type {
  Format format = Format::kF32;
  Shape shape;
  Space space = Space::kNone;

  std::int64_t elements() const { return element_count(shape); }
  std::int64_t bytes() const { return elements() * format_bytes(format); }
  std::size_t rank() const { return shape.size(); }
  // Same format and shape, the space left out of account.
  bool same_value(const Type& other) const {
    return format == other.format && shape == other.shape;
  }
  bool operator==(const Type&) const = default;
};

std::string type_text(const Type& type);

}  // namespace tally::ir
