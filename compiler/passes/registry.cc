// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/registry.h"

#include "compiler/passes/canonicalise.h"
#include "compiler/passes/eliminate.h"
#include "compiler/passes/fold_constants.h"
#include "compiler/passes/function_pass.h"
#include "compiler/passes/infer_shapes.h"
#include "compiler/passes/quantise.h"

namespace tally::passes {
namespace {

using MadePass = Expected<std::unique_ptr<ir::Pass>>;

const std::vector<std::string> kGranularities = {"channel", "tensor"};
const std::vector<std::string> kScales = {"token", "tensor"};
const std::vector<std::string> kFormats = {"int8", "uint8"};

template <class Enum>
const std::string& name_of(const std::vector<std::string>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

// A pass that takes no options.
void add_plain(ir::PassRegistry& registry, const std::string& name,
               Expected<bool> (*run)(ir::Module&)) {
  registry.add(name, [name, run](const ir::PassOptions& options) -> MadePass {
    TALLY_TRY(OptionReader(options).finish());
    return make_pass(name, run);
  });
}

MadePass make_infer_shapes(const ir::PassOptions& options) {
  std::map<std::string, ir::Shape> shapes;
  for (const auto& [name, text] : options) {
    TALLY_ASSIGN(shapes[name], parse_shape(text));
  }
  return make_pass("infer-shapes",
                   [shapes](ir::Module& module) { return infer_shapes(module, shapes); });
}

MadePass make_quantise_linear(const ir::PassOptions& options, const Calibration* calibration) {
  OptionReader reader(options);
  Recipe recipe;
  TALLY_ASSIGN(const int granularity, reader.choice("granularity", kGranularities, "channel"));
  TALLY_ASSIGN(const int scales, reader.choice("scales", kScales, "token"));
  TALLY_ASSIGN(const int format, reader.choice("format", kFormats, "int8"));
  TALLY_TRY(reader.finish());
  recipe.weight_granularity = static_cast<WeightGranularity>(granularity);
  recipe.activation_scales = static_cast<ScaleSource>(scales);
  recipe.activation_format = static_cast<ActivationFormat>(format);
  if (recipe.activation_scales == ScaleSource::kToken &&
      recipe.activation_format != ActivationFormat::kInt8)
    return fail("option 'format' is 'uint8', allowed with scales=token: int8");
  return make_pass("quantise-linear", [=](ir::Module& module) {
    return quantise_linear(module, recipe, calibration);
  });
}

MadePass make_quantise_attention(const ir::PassOptions& options, const Calibration* calibration) {
  OptionReader reader(options);
  Recipe recipe;
  TALLY_ASSIGN(const int scales, reader.choice("scales", kScales, "token"));
  TALLY_ASSIGN(recipe.attention_block, reader.integer("block", 0, 65536, 0));
  TALLY_TRY(reader.finish());
  recipe.attention_scales = static_cast<ScaleSource>(scales);
  return make_pass("quantise-attention", [=](ir::Module& module) {
    return quantise_attention(module, recipe, calibration);
  });
}

}  // namespace

ir::PassRegistry make_registry(const Calibration* calibration) {
  ir::PassRegistry registry;
  registry.add("infer-shapes", make_infer_shapes);
  add_plain(registry, "canonicalise", canonicalise);
  add_plain(registry, "fold-constants", fold_constants);
  registry.add("quantise-linear", [calibration](const ir::PassOptions& options) {
    return make_quantise_linear(options, calibration);
  });
  registry.add("quantise-attention", [calibration](const ir::PassOptions& options) {
    return make_quantise_attention(options, calibration);
  });
  add_plain(registry, "eliminate-common", eliminate_common);
  add_plain(registry, "eliminate-dead", eliminate_dead);
  return registry;
}

std::string default_pipeline(const Recipe& recipe) {
  const std::vector<ir::PassCall> calls = {
      {"infer-shapes", {}},
      {"canonicalise", {}},
      {"fold-constants", {}},
      {"canonicalise", {}},
      {"quantise-linear",
       {{"granularity", name_of(kGranularities, recipe.weight_granularity)},
        {"scales", name_of(kScales, recipe.activation_scales)},
        {"format", name_of(kFormats, recipe.activation_format)}}},
      {"quantise-attention",
       {{"scales", name_of(kScales, recipe.attention_scales)},
        {"block", std::to_string(recipe.attention_block)}}},
      {"eliminate-common", {}},
      {"eliminate-dead", {}},
  };
  return ir::pipeline_text(calls);
}

}  // namespace tally::passes
