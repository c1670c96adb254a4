// SPDX-License-Identifier: Apache-2.0
// Assembly text of instructions, one a line, and back; every 32 bytes have a text that gives the
// same 32 bytes again.
//
//   matmul a_pitch=16 w_pitch=16 m=8 k=16 n=8 mode=write ... wait=0,3 post=1
//   routine first=0 count=2 step0={mul r1 r1 0x3f000000} step1={store r1 s2}
//   .word 0x...        64 hexadecimal digits: bits that are no instruction
//
// Fields are named as in docs/isa.md; one that is left out is 0 (an enumeration: its first name).
// A step is its name and then those operands that it has: r = lane register d, a, b (or an
// immediate), s = stream. `wait` and `post` list semaphores by slot, `-` for an unused slot.
// `#` begins a comment.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/isa/isa.h"

namespace tally::isa {

std::string disassemble(const Bytes32& bytes);
std::string disassemble_step(std::uint64_t bits);
// One numbered line an instruction.
std::string disassemble_program(std::span<const Bytes32> code);

// One instruction; the message does not name the line.
Expected<Bytes32> assemble_line(std::string_view line);
// A whole text. Errors name `file` and the line.
Expected<std::vector<Bytes32>> assemble(std::string_view text, const std::string& file);

}  // namespace tally::isa
