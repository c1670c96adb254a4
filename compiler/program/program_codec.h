// SPDX-License-Identifier: Apache-2.0
// A program as bytes, the same on every host: the payload of a .tally file and what its SHA-256
// covers. Integers little-endian, strings and lists with their length in front.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/program/program.h"
#include "models/base/error.h"

namespace tally {

std::vector<std::uint8_t> encode_program(const Program& program);
// Fails on anything that encode_program() does not write; never reads or allocates beyond `bytes`.
Expected<Program> decode_program(std::span<const std::uint8_t> bytes);

}  // namespace tally
