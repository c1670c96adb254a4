// SPDX-License-Identifier: Apache-2.0
// A compiled program: instructions, the DRAM regions they address, constants, inputs and outputs,
// and the map from instructions back to graph nodes.
//
// Regions are addressed through base registers. place() fixes their addresses: the code at 0, then
// each region, in order, at the next 4 KiB boundary, so that every machine uses the same addresses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/base/error.h"
#include "models/machine/machine.h"

namespace tally {

inline constexpr std::uint64_t kPageBytes = 4096;

struct Region {
  std::string name;  // "constants", "inputs", "outputs", "scratch", ...
  int base_register = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Region&, const Region&) = default;
};

// Bytes that are in DRAM before the run.
struct Segment {
  int region = 0;
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const Segment&, const Segment&) = default;
};

// An input or output tensor: `rows` rows of `columns` elements, `pitch_bytes` from row to row.
struct Binding {
  std::string name;
  int region = 0;
  std::uint64_t offset = 0;
  isa::Element element = isa::Element::kF32;
  std::int64_t rows = 0, columns = 0, pitch_bytes = 0;
  friend bool operator==(const Binding&, const Binding&) = default;
};

// A graph node that instructions belong to. `macs` are products the model defines and the node's
// instructions do (padding not counted).
struct ProgramNode {
  std::string name;  // "layer0.attention.query", ...
  std::string op;
  std::uint64_t macs = 0;
  friend bool operator==(const ProgramNode&, const ProgramNode&) = default;
};

struct Program {
  std::string model, recipe, design;
  std::uint64_t design_hash = 0;
  std::vector<std::pair<std::string, std::string>> design_keys;  // for the message of a mismatch
  std::vector<isa::Bytes32> code;
  std::vector<Region> regions;
  std::vector<Segment> segments;
  std::vector<Binding> inputs, outputs;
  std::vector<ProgramNode> nodes;
  std::vector<std::uint32_t> node_of_instruction;  // index into nodes, one per instruction

  // Test programs only (models/verify); zero in what the compiler makes. A code address other than
  // 0 moves the code there, and the regions then begin at address 0.
  std::uint64_t code_address = 0;
  std::uint64_t stall_seed = 0;  // injected DRAM stalls to run it with

  friend bool operator==(const Program&, const Program&) = default;

  std::uint64_t macs() const;
  // SHA-256 over everything above, 64 hexadecimal digits; does not depend on the host.
  std::string sha256() const;
  // First address after the last region.
  std::uint64_t dram_bytes() const;
  std::uint64_t region_address(int region) const;
  // Code address, count, design hash and base registers under the fixed placement.
  MachineProgram place() const;
  // Writes code and segments to a cleared image. Fails if the image is too small, naming both
  // sizes.
  Status load_into(DramImage* dram) const;
};

// One file, .tally: written and read whole; a damaged or foreign file is refused with one message.
Status save_program(const Program& program, const std::string& path);
Expected<Program> load_program(const std::string& path);

// The design of a program again, from the keys that it carries.
Expected<Design> design_of(const Program& program);

// Refuses a program compiled for another design: names both hashes and the keys that differ.
Status check_design(const Program& program, const Design& design);

}  // namespace tally
