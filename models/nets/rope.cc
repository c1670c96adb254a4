// SPDX-License-Identifier: Apache-2.0
#include "models/nets/rope.h"

#include <cmath>
#include <numbers>

#include "models/nets/config_fields.h"

namespace tally::nets {
namespace {

// The llama3 rule for one frequency.
struct Llama3Scaling {
  double factor;
  double low;
  double high;
  double context;

  double operator()(double frequency) const {
    double turns = context * frequency / (2 * std::numbers::pi);  // within the original context
    if (turns < low) return frequency / factor;
    if (turns > high) return frequency;
    double smooth = (turns - low) / (high - low);
    return (1 - smooth) * frequency / factor + smooth * frequency;
  }
};

Expected<double> positive_number(const io::Config& scaling, const std::string& key) {
  TALLY_ASSIGN(double value, scaling.number(key));
  if (!(value > 0)) return scaling.key_error(key, "{} is not positive", value);
  return value;
}

Expected<Llama3Scaling> read_llama3(const io::Config& scaling) {
  Llama3Scaling rule{};
  TALLY_ASSIGN(rule.factor, positive_number(scaling, "factor"));
  TALLY_ASSIGN(rule.low, positive_number(scaling, "low_freq_factor"));
  TALLY_ASSIGN(rule.high, positive_number(scaling, "high_freq_factor"));
  TALLY_ASSIGN(rule.context, positive_number(scaling, "original_max_position_embeddings"));
  if (!(rule.high > rule.low))
    return scaling.key_error("high_freq_factor", "{} is not above low_freq_factor ({})", rule.high,
                             rule.low);
  return rule;
}

Status scale(const io::Config& scaling, std::vector<double>* frequencies) {
  std::string key = scaling.has("rope_type") ? "rope_type" : "type";
  if (!scaling.has(key)) return scaling.key_error("rope_type", "missing");
  TALLY_ASSIGN(std::string kind, scaling.string(key));
  if (kind == "default") return {};
  if (kind == "linear") {
    TALLY_ASSIGN(double factor, positive_number(scaling, "factor"));
    for (double& frequency : *frequencies) frequency /= factor;
    return {};
  }
  if (kind != "llama3")
    return scaling.key_error(key, "'{}' is not supported (known: default, linear, llama3)", kind);
  TALLY_ASSIGN(Llama3Scaling rule, read_llama3(scaling));
  for (double& frequency : *frequencies) frequency = rule(frequency);
  return {};
}

}  // namespace

Expected<std::vector<float>> rope_frequencies(const io::Config& config, std::int64_t head_dim) {
  // Newer files hold theta and scaling in one object.
  TALLY_ASSIGN(std::optional<io::Config> parameters, config.object("rope_parameters"));
  TALLY_ASSIGN(std::optional<io::Config> scaling, config.object("rope_scaling"));
  if (!scaling && parameters && (parameters->has("rope_type") || parameters->has("type")))
    scaling = parameters;
  const io::Config& source = parameters && parameters->has("rope_theta") ? *parameters : config;
  TALLY_ASSIGN(float theta, positive(source, "rope_theta", 10000));
  std::vector<double> frequencies;
  for (std::int64_t j = 0; j < head_dim; j += 2)
    frequencies.push_back(std::pow(theta, -static_cast<double>(j) / static_cast<double>(head_dim)));
  if (scaling) TALLY_TRY(scale(*scaling, &frequencies));
  return std::vector<float>(frequencies.begin(), frequencies.end());
}

RopeTables rope_tables(const std::vector<float>& frequencies, std::int64_t rows) {
  std::vector<float> cos;
  std::vector<float> sin;
  for (std::int64_t position = 0; position < rows; ++position)
    for (float frequency : frequencies) {
      double angle = static_cast<float>(position) * frequency;
      cos.push_back(static_cast<float>(std::cos(angle)));
      sin.push_back(static_cast<float>(std::sin(angle)));
    }
  ir::Shape shape = {rows, static_cast<std::int64_t>(frequencies.size())};
  return {ir::Tensor::of(shape, std::move(cos)), ir::Tensor::of(shape, std::move(sin))};
}

}  // namespace tally::nets
