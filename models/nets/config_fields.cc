// SPDX-License-Identifier: Apache-2.0
#include "models/nets/config_fields.h"

#include <cmath>
#include <map>

namespace tally::nets {

Expected<ir::OpKind> activation(const io::Config& config, const std::string& key,
                                const std::string& fallback) {
  using ir::OpKind;
  // Names as in transformers.activations.ACT2FN.
  static const std::map<std::string, OpKind> names = {{"gelu", OpKind::kGeluErf},
                                                      {"gelu_python", OpKind::kGeluErf},
                                                      {"gelu_new", OpKind::kGeluTanh},
                                                      {"gelu_pytorch_tanh", OpKind::kGeluTanh},
                                                      {"gelu_fast", OpKind::kGeluTanh},
                                                      {"gelu_accurate", OpKind::kGeluTanh},
                                                      {"gelu_python_tanh", OpKind::kGeluTanh},
                                                      {"silu", OpKind::kSilu},
                                                      {"swish", OpKind::kSilu},
                                                      {"relu", OpKind::kRelu},
                                                      {"sigmoid", OpKind::kSigmoid},
                                                      {"tanh", OpKind::kTanh}};
  TALLY_ASSIGN(std::string name, config.string_or(key, fallback));
  auto found = names.find(name);
  if (found == names.end()) {
    std::string known;
    for (const auto& [known_name, op] : names) known += (known.empty() ? "" : ", ") + known_name;
    return config.key_error(key, "activation function '{}' is not supported (known: {})", name,
                            known);
  }
  return found->second;
}

Expected<float> positive(const io::Config& config, const std::string& key, double fallback) {
  TALLY_ASSIGN(double number, config.number_or(key, fallback));
  auto value = static_cast<float>(number);
  if (!(value > 0) || std::isinf(value)) return config.key_error(key, "{} is not positive", number);
  return value;
}

Expected<std::int64_t> divided(const io::Config& config, const std::string& value_key,
                               std::int64_t value, const std::string& divisor_key,
                               std::int64_t divisor) {
  if (value % divisor != 0)
    return config.key_error(value_key, "{} is not a multiple of key '{}' ({})", value, divisor_key,
                            divisor);
  return value / divisor;
}

Status need_boolean(const io::Config& config, const std::string& key, bool supported) {
  TALLY_ASSIGN(bool value, config.boolean_or(key, supported));
  if (value != supported) return config.key_error(key, "{} is not supported", value);
  return {};
}

}  // namespace tally::nets
