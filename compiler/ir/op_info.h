// SPDX-License-Identifier: Apache-2.0
// The op table (op_list.h) as data: kinds, names, operands, attributes, results, properties.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/attribute.h"
#include "compiler/ir/op_list.h"

namespace tally::ir {

enum class OpKind {
#define TALLY_IR_ENUM(enumerator, ...) enumerator,
  TALLY_IR_OPS(TALLY_IR_ENUM)
#undef TALLY_IR_ENUM
};

enum Property : unsigned {
  kModel = 1,         // has an fp32 reference semantics; may stand in an imported model
  kQuantised = 2,     // has an exact semantics; may stand in a lowered module
  kBoundary = 4,      // input, constant, output
  kEffect = 8,        // kept although nothing uses a result
  kMoves = 16,        // moves elements and computes nothing
  kElementwise = 32,  // each result element depends on no other column
  kRowwise = 64,      // reduces along rows
  kProduct = 128,     // work of the matrix array
  kReadsDram = 256,   // may take operands in DRAM
};

struct OperandInfo {
  std::string name;
  bool optional = false;
};

struct AttributeInfo {
  std::string name;
  AttributeType type = AttributeType::kInt;
  bool optional = false;
};

struct OpInfo {
  OpKind kind;
  std::string_view name;
  std::string_view signature;
  unsigned properties;
  std::string_view doc;
  std::vector<OperandInfo> operands;
  std::vector<AttributeInfo> attributes;
  std::vector<std::string> results;

  bool has(Property property) const { return (properties & property) != 0; }
  // Place of an operand; the name is one of the table's.
  std::size_t operand_index(std::string_view operand) const;
  const AttributeInfo* attribute(std::string_view attribute_name) const;
};

const OpInfo& op_info(OpKind kind);
std::span<const OpInfo> all_ops();
std::optional<OpKind> find_op(std::string_view name);

}  // namespace tally::ir
