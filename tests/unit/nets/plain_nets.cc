// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nets/plain_nets.h"

#include <cmath>
#include <functional>

namespace tally::nets {
namespace {

class Plain {
 public:
  explicit Plain(const TinyModel& model) : model_(model) {}

  double at(const std::string& name, std::size_t i) const {
    return model_.tensors.at(name).values[i];
  }
  std::size_t size(const std::string& name, std::size_t dimension) const {
    return static_cast<std::size_t>(model_.tensors.at(name).shape[dimension]);
  }
  bool has(const std::string& name) const { return model_.tensors.contains(name); }

  // x times weight (out, in) transposed, plus bias where there is one.
  Rows linear(const Rows& x, const std::string& name) const {
    Rows y;
    std::size_t in = x[0].size();
    for (const auto& row : x) {
      std::vector<double> out(size(name + ".weight", 0));
      for (std::size_t j = 0; j < out.size(); ++j) {
        if (has(name + ".bias")) out[j] = at(name + ".bias", j);
        for (std::size_t k = 0; k < in; ++k) out[j] += row[k] * at(name + ".weight", j * in + k);
      }
      y.push_back(out);
    }
    return y;
  }
  // x times weight (in, out), plus bias.
  Rows conv1d(const Rows& x, const std::string& name) const {
    Rows y;
    std::size_t width = size(name + ".weight", 1);
    for (const auto& row : x) {
      std::vector<double> out(width);
      for (std::size_t j = 0; j < width; ++j) {
        out[j] = at(name + ".bias", j);
        for (std::size_t k = 0; k < row.size(); ++k)
          out[j] += row[k] * at(name + ".weight", k * width + j);
      }
      y.push_back(out);
    }
    return y;
  }
  Rows layernorm(Rows x, const std::string& name, double eps) const {
    for (auto& row : x) {
      auto n = static_cast<double>(row.size());
      double mean = 0;
      double variance = 0;
      for (double v : row) mean += v / n;
      for (double v : row) variance += (v - mean) * (v - mean) / n;
      for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = (row[j] - mean) / std::sqrt(variance + eps) * at(name + ".weight", j) +
                 at(name + ".bias", j);
    }
    return x;
  }
  Rows rmsnorm(Rows x, const std::string& name, double eps) const {
    for (auto& row : x) {
      double square = 0;
      for (double v : row) square += v * v / static_cast<double>(row.size());
      for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = row[j] / std::sqrt(square + eps) * at(name + ".weight", j);
    }
    return x;
  }
  Rows rows_of(const std::string& name, std::span<const std::int32_t> ids) const {
    Rows rows;
    std::size_t width = size(name, 1);
    for (std::int32_t id : ids) {
      std::vector<double> row(width);
      for (std::size_t j = 0; j < width; ++j)
        row[j] = at(name, static_cast<std::size_t>(id) * width + j);
      rows.push_back(row);
    }
    return rows;
  }

 private:
  const TinyModel& model_;
};

Rows sum(Rows a, const Rows& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] += b[i][j];
  return a;
}

Rows mapped(Rows x, const std::function<double(double)>& f) {
  for (auto& row : x)
    for (double& v : row) v = f(v);
  return x;
}

Rows columns(const Rows& x, std::size_t first, std::size_t count) {
  Rows y;
  for (const auto& row : x)
    y.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(first),
                   row.begin() + static_cast<std::ptrdiff_t>(first + count));
  return y;
}

struct Heads {
  std::size_t heads;
  std::size_t kv_heads;
  bool causal;
};

Rows attention(const Rows& q, const Rows& k, const Rows& v, const Heads& sizes) {
  std::size_t width = q[0].size() / sizes.heads;
  Rows y(q.size(), std::vector<double>(q[0].size(), 0.0));
  for (std::size_t h = 0; h < sizes.heads; ++h) {
    std::size_t g = h / (sizes.heads / sizes.kv_heads);
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::size_t seen = sizes.causal ? i + 1 : k.size();
      std::vector<double> e(seen);
      double total = 0;
      for (std::size_t j = 0; j < seen; ++j) {
        double dot = 0;
        for (std::size_t d = 0; d < width; ++d) dot += q[i][h * width + d] * k[j][g * width + d];
        total += e[j] = std::exp(dot / std::sqrt(static_cast<double>(width)));
      }
      for (std::size_t j = 0; j < seen; ++j)
        for (std::size_t d = 0; d < width; ++d)
          y[i][h * width + d] += e[j] / total * v[j][g * width + d];
    }
  }
  return y;
}

double gelu_erf(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }
double gelu_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

// Rotate-half RoPE of a head width, by complex rotation of (x[j], x[j + width / 2]).
Rows rotated(Rows x, std::size_t width, double theta) {
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t head = 0; head < x[i].size(); head += width)
      for (std::size_t j = 0; j < width / 2; ++j) {
        double angle = static_cast<double>(i) *
                       std::pow(theta, -2.0 * static_cast<double>(j) / static_cast<double>(width));
        double a = x[i][head + j];
        double b = x[i][head + j + width / 2];
        x[i][head + j] = a * std::cos(angle) - b * std::sin(angle);
        x[i][head + j + width / 2] = b * std::cos(angle) + a * std::sin(angle);
      }
  return x;
}

// The head's weight under whichever name it is stored.
Rows head(const Plain& plain, const Rows& x, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (plain.has(name + ".weight")) return plain.linear(x, name);
  return {};
}

}  // namespace

Rows plain_gpt2(const TinyModel& model, std::span<const std::int32_t> ids, bool erf) {
  Plain plain(model);
  std::vector<std::int32_t> positions(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) positions[i] = static_cast<std::int32_t>(i);
  Rows x = sum(plain.rows_of("transformer.wte.weight", ids),
               plain.rows_of("transformer.wpe.weight", positions));
  for (int i = 0; i < 2; ++i) {
    std::string name = "transformer.h." + std::to_string(i);
    Rows qkv = plain.conv1d(plain.layernorm(x, name + ".ln_1", 1e-5), name + ".attn.c_attn");
    Rows attended =
        attention(columns(qkv, 0, 8), columns(qkv, 8, 8), columns(qkv, 16, 8), {2, 2, true});
    x = sum(x, plain.conv1d(attended, name + ".attn.c_proj"));
    Rows wide = plain.conv1d(plain.layernorm(x, name + ".ln_2", 1e-5), name + ".mlp.c_fc");
    x = sum(x, plain.conv1d(mapped(wide, erf ? gelu_erf : gelu_tanh), name + ".mlp.c_proj"));
  }
  x = plain.layernorm(x, "transformer.ln_f", 1e-5);
  return head(plain, x, {"lm_head", "transformer.wte"});
}

Rows plain_llama(const TinyModel& model, std::span<const std::int32_t> ids) {
  Plain plain(model);
  auto heads = model.config.at("num_attention_heads").get<std::size_t>();
  auto kv_heads = model.config.value("num_key_value_heads", heads);
  std::size_t width = plain.size("model.layers.0.self_attn.q_proj.weight", 0) / heads;
  Rows x = plain.rows_of("model.embed_tokens.weight", ids);
  for (int i = 0; i < 2; ++i) {
    std::string name = "model.layers." + std::to_string(i);
    Rows normed = plain.rmsnorm(x, name + ".input_layernorm", 1e-5);
    Rows q = rotated(plain.linear(normed, name + ".self_attn.q_proj"), width, 10000);
    Rows k = rotated(plain.linear(normed, name + ".self_attn.k_proj"), width, 10000);
    Rows v = plain.linear(normed, name + ".self_attn.v_proj");
    x = sum(x,
            plain.linear(attention(q, k, v, {heads, kv_heads, true}), name + ".self_attn.o_proj"));
    normed = plain.rmsnorm(x, name + ".post_attention_layernorm", 1e-5);
    Rows gate = mapped(plain.linear(normed, name + ".mlp.gate_proj"),
                       [](double v) { return v / (1 + std::exp(-v)); });
    Rows up = plain.linear(normed, name + ".mlp.up_proj");
    for (std::size_t r = 0; r < gate.size(); ++r)
      for (std::size_t j = 0; j < gate[r].size(); ++j) gate[r][j] *= up[r][j];
    x = sum(x, plain.linear(gate, name + ".mlp.down_proj"));
  }
  return head(plain, plain.rmsnorm(x, "model.norm", 1e-5), {"lm_head", "model.embed_tokens"});
}

Rows plain_vit(const TinyModel& model, std::span<const std::uint8_t> image) {
  Plain plain(model);
  const double mean[] = {0.25, 0.5};
  const double deviation[] = {0.5, 0.125};
  const std::string projection = "vit.embeddings.patch_embeddings.projection";
  Rows x = {std::vector<double>(8)};
  for (std::size_t j = 0; j < 8; ++j) x[0][j] = plain.at("vit.embeddings.cls_token", j);
  for (std::size_t py = 0; py < 2; ++py)
    for (std::size_t px = 0; px < 2; ++px) {
      std::vector<double> row(8);
      for (std::size_t o = 0; o < 8; ++o) {
        row[o] = plain.at(projection + ".bias", o);
        for (std::size_t c = 0; c < 2; ++c)
          for (std::size_t dy = 0; dy < 3; ++dy)
            for (std::size_t dx = 0; dx < 3; ++dx) {
              double pixel = image[(c * 6 + py * 3 + dy) * 6 + px * 3 + dx] / 255.0;
              row[o] += (pixel - mean[c]) / deviation[c] *
                        plain.at(projection + ".weight", ((o * 2 + c) * 3 + dy) * 3 + dx);
            }
      }
      x.push_back(row);
    }
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      x[i][j] += plain.at("vit.embeddings.position_embeddings", i * 8 + j);
  for (int i = 0; i < 2; ++i) {
    std::string name = "vit.encoder.layer." + std::to_string(i);
    Rows normed = plain.layernorm(x, name + ".layernorm_before", 1e-12);
    Rows attended =
        attention(plain.linear(normed, name + ".attention.attention.query"),
                  plain.linear(normed, name + ".attention.attention.key"),
                  plain.linear(normed, name + ".attention.attention.value"), {2, 2, false});
    x = sum(x, plain.linear(attended, name + ".attention.output.dense"));
    Rows wide = plain.linear(plain.layernorm(x, name + ".layernorm_after", 1e-12),
                             name + ".intermediate.dense");
    x = sum(x, plain.linear(mapped(wide, gelu_erf), name + ".output.dense"));
  }
  return plain.linear({plain.layernorm(x, "vit.layernorm", 1e-12)[0]}, "classifier");
}

}  // namespace tally::nets
