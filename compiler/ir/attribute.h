// SPDX-License-Identifier: Apache-2.0
// Attributes of an op: named compile-time values whose types the op table declares.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/ir/tensor.h"

namespace tally::ir {

// X(enumerator, name in op_list.h, C++ type). Floats are fp32: their text is the shortest that
// reads back to the same bits.
#define TALLY_IR_ATTRIBUTE_TYPES(X)         \
  X(kInt, int, std::int64_t)                \
  X(kFloat, float, float)                   \
  X(kBool, bool, bool)                      \
  X(kString, string, std::string)           \
  X(kInts, ints, std::vector<std::int64_t>) \
  X(kFloats, floats, std::vector<float>)    \
  X(kFormat, format, ::tally::ir::Format)   \
  X(kTensor, tensor, ::tally::ir::Tensor)

#define TALLY_IR_ENUM(enumerator, ...) enumerator,
enum class AttributeType { TALLY_IR_ATTRIBUTE_TYPES(TALLY_IR_ENUM) };
#undef TALLY_IR_ENUM

// The alternatives stand in the order of AttributeType.
using Attribute = std::variant<std::int64_t, float, bool, std::string, std::vector<std::int64_t>,
                               std::vector<float>, Format, Tensor>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

AttributeType attribute_type(const Attribute& attribute);
std::string_view attribute_type_name(AttributeType type);
std::string attribute_text(const Attribute& attribute);
// A finite value as the shortest decimal that reads back, with '.' or 'e'; others as 0x and eight
// digits.
std::string float_text(float value);
// In double quotes; quotes, backslashes and control characters as \" \\ \xNN.
std::string quote(std::string_view text);

}  // namespace tally::ir
