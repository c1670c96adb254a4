// SPDX-License-Identifier: Apache-2.0
// What a matmul does to the accumulators: exact, sums modulo 2^32.
#pragma once

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "sysc/memories.h"
#include "sysc/write_hash.h"

namespace tally::sysc {

void multiply(const isa::Matmul& matmul, const Design& design, Memories* memories);
// The same, tile by tile and row by row in the order of the array; any address wraps. multiply()
// falls back to it where rows of the result share accumulators or addresses leave a memory.
void multiply_in_order(const isa::Matmul& matmul, const Design& design, Memories* memories);

// Tells the hash which accumulator bytes the matmul writes.
void hash_products(const isa::Matmul& matmul, const Design& design, WriteHash* hash);

}  // namespace tally::sysc
