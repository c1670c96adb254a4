// SPDX-License-Identifier: Apache-2.0
// Reads gzip-compressed IDX files of unsigned bytes, the format of MNIST and its successors.
// Layout (Y. LeCun, "The MNIST database"): two zero bytes, type 0x08, rank, one big-endian 32-bit
// size a dimension, then the bytes, last dimension innermost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally {

struct IdxArray {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> data;  // product of shape
};

// Reads the whole file and checks it: exactly `rank` dimensions and exactly the bytes that they
// need. Errors name the file and `package`, the Debian package that ships it.
Expected<IdxArray> read_idx_gz(const std::string& path, std::size_t rank,
                               const std::string& package);

}  // namespace tally
