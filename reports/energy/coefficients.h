// SPDX-License-Identifier: Apache-2.0
// Energy coefficients of one set, read from one TOML file (reports/energy/NAME.toml). Every
// coefficient that the model uses must be there, with what it is per, node, conditions and source:
// a missing one is an error, never a default.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally {

struct Coefficient {
  double pj;
  std::string per, node, conditions, source;
};

struct SramEnergy {
  double read_pj, write_pj;  // an access of the whole width
  double leakage_mw;
  std::string rows;  // the table rows that it comes from, for reports
};

class Coefficients {
 public:
  static Expected<Coefficients> load(const std::string& path);
  static Expected<Coefficients> parse(const std::string& toml, const std::string& file);

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  // Ids as in the file; those the model uses are all present.
  const std::map<std::string, Coefficient>& all() const { return coefficients_; }
  double pj(const std::string& id) const { return coefficients_.at(id).pj; }
  // For tests and what-if: the same set with one coefficient multiplied.
  Coefficients scaled(const std::string& id, double factor) const;

  // A bank of `capacity_bytes` read and written `width_bits` at a time. Wider words than the
  // table's widest are built of several macros side by side; between capacities of the table
  // log-log interpolation at the same width. Fails outside the table's range, naming it.
  Expected<SramEnergy> sram(std::int64_t capacity_bytes, int width_bits) const;
  const std::string& sram_source() const { return sram_source_; }

 private:
  struct SramRow {
    std::int64_t capacity_bytes;
    int width_bits;
    double read_pj, write_pj, leakage_mw;
  };

  std::string file_, name_, description_, sram_source_;
  std::map<std::string, Coefficient> coefficients_;
  std::vector<SramRow> sram_;
};

}  // namespace tally
