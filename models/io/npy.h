// SPDX-License-Identifier: Apache-2.0
// Tensors as NumPy files (.npy, format version 1.0: numpy.lib.format).
#pragma once

#include <string>

#include "compiler/ir/tensor.h"

namespace tally::io {

// The bytes of the file; f32, i8, u8 and i32.
std::string npy_bytes(const ir::Tensor& tensor);

// Writes the file as a whole: it is complete or not there. An error names the path.
Status write_npy(const std::string& path, const ir::Tensor& tensor);

}  // namespace tally::io
