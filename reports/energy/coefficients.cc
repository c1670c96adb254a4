// SPDX-License-Identifier: Apache-2.0
#include "reports/energy/coefficients.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace tally {
namespace {

// What reports/energy/energy.cc asks for.
constexpr const char* kRequired[] = {"multiply_int8",   "add_int32",        "add_fp32",
                                     "multiply_fp32",   "iterate_fp32",     "register_bit",
                                     "dram_read_burst", "dram_write_burst", "dram_activate",
                                     "dram_refresh",    "dram_background"};

Expected<std::string> text_at(const toml::table& table, const std::string& key,
                              const std::string& file) {
  const auto value = table.at_path(key).value<std::string>();
  if (!value || value->empty()) return fail("{}: key '{}' is missing (a string)", file, key);
  return *value;
}

Expected<Coefficient> coefficient_at(const toml::table& table, const std::string& id,
                                     const std::string& file) {
  const std::string at = "coefficients." + id;
  if (!table.at_path(at)) return fail("{}: coefficient '{}' is missing", file, id);
  const auto pj = table.at_path(at + ".pj").value<double>();
  if (!pj || !std::isfinite(*pj) || *pj < 0)
    return fail("{}: key '{}.pj' must be a number of picojoules, at least 0", file, at);
  Coefficient coefficient{*pj, {}, {}, {}, {}};
  TALLY_ASSIGN(coefficient.per, text_at(table, at + ".per", file));
  TALLY_ASSIGN(coefficient.node, text_at(table, at + ".node", file));
  TALLY_ASSIGN(coefficient.conditions, text_at(table, at + ".conditions", file));
  TALLY_ASSIGN(coefficient.source, text_at(table, at + ".source", file));
  return coefficient;
}

double log_log(double x, double x0, double y0, double x1, double y1) {
  const double t = (std::log(x) - std::log(x0)) / (std::log(x1) - std::log(x0));
  return std::exp(std::log(y0) + t * (std::log(y1) - std::log(y0)));
}

}  // namespace

Expected<Coefficients> Coefficients::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file.good()) return fail("{}: energy coefficients cannot be read", path);
  return parse(text.str(), path);
}

Expected<Coefficients> Coefficients::parse(const std::string& text, const std::string& file) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return fail("{}: line {}: {}", file, error.source().begin.line, error.description());
  }
  Coefficients set;
  set.file_ = file;
  TALLY_ASSIGN(set.name_, text_at(table, "name", file));
  TALLY_ASSIGN(set.description_, text_at(table, "description", file));
  for (const char* id : kRequired) {
    TALLY_ASSIGN(set.coefficients_[id], coefficient_at(table, id, file));
  }
  TALLY_ASSIGN(set.sram_source_, text_at(table, "sram.source", file));
  const toml::array* rows = table.at_path("sram.table").as_array();
  if (rows == nullptr || rows->empty()) return fail("{}: key 'sram.table' is missing", file);
  for (const toml::node& node : *rows) {
    const toml::array* row = node.as_array();
    std::vector<double> values;
    if (row != nullptr)
      for (const toml::node& cell : *row) values.push_back(cell.value<double>().value_or(-1));
    if (values.size() != 5 || *std::min_element(values.begin(), values.end()) <= 0)
      return fail("{}: key 'sram.table' row {} must hold five numbers above 0", file,
                  set.sram_.size() + 1);
    set.sram_.push_back({std::int64_t(values[0]), int(values[1]), values[2], values[3], values[4]});
  }
  return set;
}

Coefficients Coefficients::scaled(const std::string& id, double factor) const {
  Coefficients set = *this;
  set.coefficients_.at(id).pj *= factor;
  return set;
}

Expected<SramEnergy> Coefficients::sram(std::int64_t capacity_bytes, int width_bits) const {
  int widest = 0;
  for (const SramRow& row : sram_) widest = std::max(widest, row.width_bits);
  const int macros = std::max(1, width_bits / widest);
  const std::int64_t capacity = capacity_bytes / macros;
  const int width = width_bits / macros;
  const SramRow *below = nullptr, *above = nullptr;
  for (const SramRow& row : sram_) {
    if (row.width_bits != width) continue;
    if (row.capacity_bytes <= capacity && (!below || row.capacity_bytes > below->capacity_bytes))
      below = &row;
    if (row.capacity_bytes >= capacity && (!above || row.capacity_bytes < above->capacity_bytes))
      above = &row;
  }
  if (below == nullptr || above == nullptr) {
    std::string range;
    for (const SramRow& row : sram_)
      if (row.width_bits == width) range += fmt::format(" {}", row.capacity_bytes);
    return fail(
        "{}: no SRAM figures for a bank of {} bytes x {} bits (as {} of {} bits); capacities in "
        "the table at that width:{}",
        file_, capacity_bytes, width_bits, macros, width, range.empty() ? " none" : range);
  }
  const auto at = [&](double SramRow::*figure) {
    if (below == above) return below->*figure * macros;
    return macros * log_log(double(capacity), double(below->capacity_bytes), below->*figure,
                            double(above->capacity_bytes), above->*figure);
  };
  std::string rows = fmt::format("{} x {} b", below->capacity_bytes, width);
  if (below != above) rows += fmt::format(" and {} x {} b", above->capacity_bytes, width);
  if (macros > 1) rows = fmt::format("{} macros of {}", macros, rows);
  return SramEnergy{at(&SramRow::read_pj), at(&SramRow::write_pj), at(&SramRow::leakage_mw), rows};
}

}  // namespace tally
