// SPDX-License-Identifier: Apache-2.0
#include "compiler/design/design.h"

#include <toml++/toml.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "models/base/sha256.h"
#include "models/dram/dram_kinds.h"

namespace tally {
namespace {

constexpr std::int64_t kKiB = 1024;

struct IntegerKey {
  const char* key;  // "section.name"
  std::int64_t low, high;
  bool power_of_two;
  std::function<void(Design&, std::int64_t)> set;
};

const std::vector<IntegerKey>& integer_keys() {
  static const std::vector<IntegerKey> keys = {
      {"clock.mhz", 1, 10000, false, [](Design& d, auto v) { d.clock_mhz = int(v); }},
      {"array.rows", 2, 256, true, [](Design& d, auto v) { d.rows = int(v); }},
      {"array.columns", 2, 256, true, [](Design& d, auto v) { d.columns = int(v); }},
      {"vector.lanes", 1, 64, true, [](Design& d, auto v) { d.lanes = int(v); }},
      {"vector.latency", 1, 8, false, [](Design& d, auto v) { d.vector_latency = int(v); }},
      {"vector.divide_bits", 1, 4, true, [](Design& d, auto v) { d.divide_bits = int(v); }},
      {"activations.banks", 2, 64, true, [](Design& d, auto v) { d.activations.banks = int(v); }},
      {"activations.bank_bytes", 256, 4096 * kKiB, true,
       [](Design& d, auto v) { d.activations.bank_bytes = v; }},
      {"weights.banks", 2, 64, true, [](Design& d, auto v) { d.weights.banks = int(v); }},
      {"weights.bank_bytes", 256, 4096 * kKiB, true,
       [](Design& d, auto v) { d.weights.bank_bytes = v; }},
      {"accumulators.banks", 2, 64, true, [](Design& d, auto v) { d.accumulators.banks = int(v); }},
      {"accumulators.bank_bytes", 64, 1024 * kKiB, true,
       [](Design& d, auto v) { d.accumulators.bank_bytes = v; }},
      {"port.bytes", 4, 64, true, [](Design& d, auto v) { d.port_bytes = int(v); }},
      {"port.load_outstanding", 1, 64, false,
       [](Design& d, auto v) { d.load_outstanding = int(v); }},
      {"port.store_outstanding", 2, 16, true,
       [](Design& d, auto v) { d.store_outstanding = int(v); }},
      {"port.fetch_buffers", 2, 16, true, [](Design& d, auto v) { d.fetch_buffers = int(v); }},
      {"port.fetch_burst_bytes", 64, 4096, true,
       [](Design& d, auto v) { d.fetch_burst_bytes = int(v); }},
      {"queues.load", 1, 64, false, [](Design& d, auto v) { d.load_queue = int(v); }},
      {"queues.store", 1, 64, false, [](Design& d, auto v) { d.store_queue = int(v); }},
      {"queues.matrix", 1, 64, false, [](Design& d, auto v) { d.matrix_queue = int(v); }},
      {"queues.vector", 1, 64, false, [](Design& d, auto v) { d.vector_queue = int(v); }},
      {"dram.capacity_mib", 1, 65536, false,
       [](Design& d, auto v) { d.dram_capacity_bytes = v * kKiB * kKiB; }},
  };
  return keys;
}

struct StringKey {
  const char* key;
  std::string Design::*member;
};

constexpr StringKey kStringKeys[] = {
    {"name", &Design::name},
    {"description", &Design::description},
    {"dram.kind", &Design::dram_kind},
    {"energy.coefficients", &Design::energy},
};

Status check_keys_known(const toml::table& table, const std::string& prefix,
                        const std::string& file) {
  std::set<std::string> known;
  for (const IntegerKey& key : integer_keys()) known.insert(key.key);
  for (const StringKey& key : kStringKeys) known.insert(key.key);
  for (const auto& [name, node] : table) {
    const std::string path = prefix + std::string(name.str());
    if (const toml::table* section = node.as_table()) {
      TALLY_TRY(check_keys_known(*section, path + ".", file));
    } else if (!known.count(path)) {
      return fail("{}: unknown key '{}'", file, path);
    }
  }
  return {};
}

Status read_integer(const toml::table& table, const IntegerKey& key, const std::string& file,
                    Design* design) {
  const auto node = table.at_path(key.key);
  const std::string range =
      fmt::format("{} to {}{}", key.low, key.high, key.power_of_two ? ", a power of two" : "");
  if (!node) return fail("{}: key '{}' is missing (an integer, {})", file, key.key, range);
  if (!node.is_integer()) return fail("{}: key '{}' must be an integer, {}", file, key.key, range);
  const std::int64_t value = *node.value<std::int64_t>();
  if (value < key.low || value > key.high ||
      (key.power_of_two && !std::has_single_bit(std::uint64_t(value))))
    return fail("{}: key '{}' is {}, allowed: {}", file, key.key, value, range);
  key.set(*design, value);
  return {};
}

Status read_string(const toml::table& table, const StringKey& key, const std::string& file,
                   Design* design) {
  const auto node = table.at_path(key.key);
  if (!node) return fail("{}: key '{}' is missing (a string)", file, key.key);
  if (!node.is_string() || node.value<std::string>()->empty())
    return fail("{}: key '{}' must be a string that is not empty", file, key.key);
  design->*key.member = *node.value<std::string>();
  return {};
}

Status check_dram_kind(const Design& d) {
  if (find_dram_kind(d.dram_kind) != nullptr) return {};
  std::string names;
  for (const DramKind& kind : kDramKinds)
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return fail("{}: key 'dram.kind' is '{}', allowed: {}", d.file, d.dram_kind, names);
}

Status check_combinations(const Design& d) {
  if (d.activations.bank_bytes < d.scratchpad_width())
    return fail(
        "{}: key 'activations.bank_bytes' is {}, allowed: at least the bank width max(4 x lanes, "
        "rows, columns, "
        "port.bytes) = {}",
        d.file, d.activations.bank_bytes, d.scratchpad_width());
  if (d.weights.bank_bytes < d.scratchpad_width())
    return fail(
        "{}: key 'weights.bank_bytes' is {}, allowed: at least the bank width max(4 x lanes, rows, "
        "columns, "
        "port.bytes) = {}",
        d.file, d.weights.bank_bytes, d.scratchpad_width());
  for (const auto& [key, memory] :
       {std::pair{"activations", d.activations}, {"weights", d.weights}})
    if (memory.bytes() > 16384 * kKiB)
      return fail("{}: key '{}.banks' x '{}.bank_bytes' is {} bytes, allowed: up to 16 MiB", d.file,
                  key, key, memory.bytes());
  if (d.accumulator_bank_rows() < 1 || d.accumulator_rows() > 65536)
    return fail(
        "{}: key 'accumulators.bank_bytes' is {}, allowed: at least one row of 4 x columns = {} "
        "bytes a bank and at most "
        "65536 rows in all",
        d.file, d.accumulators.bank_bytes, 4 * d.columns);
  if (d.port_bytes > 4 * d.columns)
    return fail(
        "{}: key 'port.bytes' is {}, allowed: up to 4 x columns = {} (the store unit reads "
        "accumulator rows)",
        d.file, d.port_bytes, 4 * d.columns);
  if (d.fetch_burst_bytes < 2 * d.port_bytes || d.fetch_burst_bytes > 256 * d.port_bytes)
    return fail(
        "{}: key 'port.fetch_burst_bytes' is {}, allowed: {} to {} (2 to 256 beats of port.bytes)",
        d.file, d.fetch_burst_bytes, 2 * d.port_bytes, 256 * d.port_bytes);
  return {};
}

}  // namespace

int Design::scratchpad_width() const { return std::max({4 * lanes, rows, columns, port_bytes}); }

int Design::divide_interval() const { return (26 + divide_bits - 1) / divide_bits + 1; }

std::vector<std::pair<std::string, std::string>> Design::hardware_keys() const {
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  return {{"clock.mhz", text(clock_mhz)},
          {"array.rows", text(rows)},
          {"array.columns", text(columns)},
          {"vector.lanes", text(lanes)},
          {"vector.latency", text(vector_latency)},
          {"vector.divide_bits", text(divide_bits)},
          {"activations.banks", text(activations.banks)},
          {"activations.bank_bytes", text(activations.bank_bytes)},
          {"weights.banks", text(weights.banks)},
          {"weights.bank_bytes", text(weights.bank_bytes)},
          {"accumulators.banks", text(accumulators.banks)},
          {"accumulators.bank_bytes", text(accumulators.bank_bytes)},
          {"port.bytes", text(port_bytes)},
          {"port.load_outstanding", text(load_outstanding)},
          {"port.store_outstanding", text(store_outstanding)},
          {"port.fetch_buffers", text(fetch_buffers)},
          {"port.fetch_burst_bytes", text(fetch_burst_bytes)},
          {"queues.load", text(load_queue)},
          {"queues.store", text(store_queue)},
          {"queues.matrix", text(matrix_queue)},
          {"queues.vector", text(vector_queue)},
          {"dram.kind", dram_kind},
          {"dram.capacity_mib", text(dram_capacity_bytes / kKiB / kKiB)}};
}

std::uint64_t Design::hash() const {
  Sha256 sha;
  for (const auto& [key, value] : hardware_keys()) {
    const std::string line = key + "=" + value + "\n";
    sha.update(line.data(), line.size());
  }
  return std::stoull(sha.hex().substr(0, 16), nullptr, 16);
}

Expected<Design> parse_design(const std::string& text, const std::string& file) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return fail("{}: line {}: {}", file, error.source().begin.line, error.description());
  }
  TALLY_TRY(check_keys_known(table, "", file));
  Design design;
  design.file = file;
  for (const IntegerKey& key : integer_keys()) TALLY_TRY(read_integer(table, key, file, &design));
  for (const StringKey& key : kStringKeys) TALLY_TRY(read_string(table, key, file, &design));
  TALLY_TRY(check_combinations(design));
  TALLY_TRY(check_dram_kind(design));
  return design;
}

Expected<Design> load_design(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("{}: cannot be read", path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file.good()) return fail("{}: cannot be read", path);
  return parse_design(text.str(), path);
}

Expected<Design> find_design(const std::string& name_or_path, const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path shipped = fs::path(directory) / (name_or_path + ".toml");
  if (name_or_path.find('/') == std::string::npos && fs::exists(shipped))
    return load_design(shipped.string());
  if (name_or_path.ends_with(".toml")) return load_design(name_or_path);
  std::string names;
  std::error_code error;
  std::set<std::string> sorted;
  for (const auto& entry : fs::directory_iterator(directory, error))
    if (entry.path().extension() == ".toml") sorted.insert(entry.path().stem().string());
  for (const std::string& name : sorted) names += (names.empty() ? "" : ", ") + name;
  return fail("design '{}' is neither a shipped name ({}) nor a TOML file", name_or_path, names);
}

}  // namespace tally
