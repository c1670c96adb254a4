// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/builder.h"

#include "compiler/ir/infer_types.h"

namespace tally::ir {
namespace {

// The types of an op that is not part of the function yet.
std::vector<Type> inferred_types(const OpSpec& spec) {
  Function scratch("scratch");
  Op* op = scratch.append(spec);
  Status form = check_form(*op);
  TALLY_CHECK(form, "{}: {}", describe(*op), form ? "" : form.error().message);
  auto types = infer_types(*op);
  TALLY_CHECK(types, "{}: {}", describe(*op), types ? "" : types.error().message);
  return *types;
}

}  // namespace

Op* Builder::add(OpSpec spec) {
  spec.node = node_;
  return before_ != nullptr ? function_->insert_before(before_, std::move(spec))
                            : function_->append(std::move(spec));
}

Value* Builder::input(const std::string& name, Type type) {
  return add({OpKind::kInput, {}, {{"name", name}}, {std::move(type)}, {name}})->result();
}

Value* Builder::constant(const std::string& tensor, Type type) {
  return add({OpKind::kConstant, {}, {{"tensor", tensor}}, {std::move(type)}, {"c"}})->result();
}

Value* Builder::constant(Tensor value) {
  Type type = value.type();
  return add({OpKind::kConstant, {}, {{"value", std::move(value)}}, {std::move(type)}, {"c"}})
      ->result();
}

void Builder::output(Value* value, const std::string& name) {
  add({OpKind::kOutput, {value}, {{"name", name}}});
}

Op* Builder::op(OpKind kind, std::vector<Value*> operands, Attributes attributes,
                std::vector<std::string> names) {
  OpSpec spec{kind, std::move(operands), std::move(attributes), {}, std::move(names)};
  spec.types = inferred_types(spec);
  return add(std::move(spec));
}

}  // namespace tally::ir
