// SPDX-License-Identifier: Apache-2.0
// Cycles and events of a matmul as pure functions (docs/timing.md, "Matrix").
#pragma once

#include <optional>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/machine/machine.h"
#include "sysc/time.h"

namespace tally::sysc {

// The last tile that any instruction has put on the array: what the next one has to wait for.
struct ArrayState {
  Cycle first_stream = 0;  // s of that tile
  Cycle streamed = 0;      // s + M: the array can take the next tile from here
};

struct MatmulTiming {
  Cycle first_load;    // b of the first tile
  Cycle loaded;        // b + Lt of the first tile
  Cycle first_stream;  // s of the first tile
  Cycle last_load;     // b + Lt - 1 of the last tile: the loader can start another instruction
  ArrayState array;    // its last tile
  Cycle end;           // E
};

// Weight rows that a tile's load takes, and tiles in all.
Cycle tile_load_cycles(const isa::Matmul& matmul, const Design& design);
Cycle tiles_of(const isa::Matmul& matmul, const Design& design);

MatmulTiming time_matmul(const isa::Matmul& matmul, const Design& design,
                         const std::optional<ArrayState>& array, Cycle start);
void count_matmul(const isa::Matmul& matmul, const Design& design, Events* events);

}  // namespace tally::sysc
