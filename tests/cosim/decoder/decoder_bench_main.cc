// SPDX-License-Identifier: Apache-2.0
// Prints the SystemVerilog top of this test: every field of every instruction, by name, in the
// order of the table, beside tally_decoder for the design base.
#include <cstdio>
#include <string>

#include "compiler/isa/isa_table.h"

int main() {
  std::string structs, fields;
  int index = 0;
  for (const tally::isa::InstructionSpec& spec : tally::isa::kInstructions) {
    const std::string name(spec.name);
    structs += "  tally_isa_pkg::" + name + "_t " + name + "_fields;\n  assign " + name +
               "_fields = tally_isa_pkg::decode_" + name + "(word_i);\n";
    for (const tally::isa::FieldSpec& field : spec.fields)
      fields += "  assign fields_o[" + std::to_string(index++) + "] = 64'(unsigned'(" + name +
                "_fields." + std::string(field.name) + "));\n";
  }
  std::printf(
      "module tally_decoder_bench (\n"
      "    input  logic [255:0] word_i,\n"
      "    output logic [63:0] fields_o [%d],\n"
      "    output logic [4:1] unit_o,\n"
      "    output logic [31:0] waits_o,\n"
      "    output logic [3:0] fault_o\n"
      ");\n%s%s"
      "  tally_pkg::fault_e fault;\n"
      "  assign fault_o = fault;\n"
      "  tally_decoder u_decoder (\n"
      "      .valid_i(1'b1), .word_i(word_i), .unit_o(unit_o), .waits_o(waits_o), .fault_o(fault)\n"
      "  );\n"
      "endmodule\n",
      index, structs.c_str(), fields.c_str());
}
