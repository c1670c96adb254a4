// SPDX-License-Identifier: Apache-2.0
// The DRAM of a program under construction: its regions, and the constants placed in them.
//
// Constants are placed first and made later: trying out a schedule costs no copy of a weight.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/codegen/layout.h"
#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

namespace tally::codegen {

enum class RegionKind { kConstants, kInputs, kOutputs, kScratch };
inline constexpr int kRegionKinds = 4;
inline constexpr std::string_view kRegionNames[kRegionKinds] = {"constants", "inputs", "outputs",
                                                                "scratch"};

// A value in DRAM.
struct DramTensor {
  DramAddress address;
  Layout layout;
};

class Image {
 public:
  explicit Image(const Design& design) : design_(&design) {}

  // Room at a port- and bank-aligned offset.
  DramAddress reserve(RegionKind kind, std::int64_t bytes);
  // A constant whose bytes `make` writes into a zeroed buffer of `bytes` when the image is
  // finished.
  using Maker = std::function<Status(std::vector<std::uint8_t>*)>;
  DramAddress place(std::int64_t bytes, Maker make);

  struct Mark {
    std::int64_t sizes[kRegionKinds];
    std::size_t makers;
  };
  Mark mark() const;
  void rollback(const Mark& mark);

  // Regions and segments of the program, constants made.
  Status finish(Program* program);

 private:
  struct Pending {
    std::int64_t offset, bytes;
    Maker make;
  };

  const Design* design_;
  std::int64_t sizes_[kRegionKinds] = {};
  std::vector<Pending> pending_;
};

// The value of a constant op.
Expected<ir::Tensor> constant_tensor(const ir::Module& module, const ir::Value& value);
bool is_constant(const ir::Value* value);

}  // namespace tally::codegen
