// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/infer_shapes.h"

#include <charconv>

#include "compiler/ir/infer_types.h"

namespace tally::passes {
namespace {

bool assign(ir::Type& type, const ir::Type& inferred) {
  if (type.same_value(inferred)) return false;
  type.format = inferred.format;
  type.shape = inferred.shape;
  return true;
}

Expected<bool> set_inputs(ir::Module& module, const std::map<std::string, ir::Shape>& inputs) {
  bool changed = false;
  for (const auto& [name, shape] : inputs) {
    ir::Op* input = module.main() == nullptr ? nullptr : module.main()->input(name);
    if (input == nullptr) return fail("the module has no input '{}'", name);
    TALLY_TRY(ir::check_shape(shape));
    changed |= assign(input->result()->type, {input->result()->type.format, shape});
  }
  return changed;
}

Expected<bool> infer(const ir::Op& op) {
  const auto types = ir::infer_types(op);
  if (!types) return fail("{}: {}", ir::describe(op), types.error().message);
  bool changed = false;
  for (std::size_t i = 0; i < types->size(); ++i)
    changed |= assign(op.result(i)->type, (*types)[i]);
  return changed;
}

}  // namespace

Expected<bool> infer_shapes(ir::Module& module, const std::map<std::string, ir::Shape>& inputs) {
  TALLY_ASSIGN(bool changed, set_inputs(module, inputs));
  for (const auto& function : module.functions()) {
    for (const auto& op : function->ops()) {
      TALLY_ASSIGN(const bool one, infer(*op));
      changed |= one;
    }
  }
  return changed;
}

Expected<ir::Shape> parse_shape(const std::string& text) {
  ir::Shape shape;
  const char* place = text.data();
  const char* end = place + text.size();
  while (true) {
    const auto [rest, error] = std::from_chars(place, end, shape.emplace_back());
    if (error != std::errc() || (rest != end && *rest != 'x'))
      return fail("'{}' is not a shape such as 1x28x28", text);
    if (rest == end) return shape;
    place = rest + 1;
  }
}

}  // namespace tally::passes
