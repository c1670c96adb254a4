// SPDX-License-Identifier: Apache-2.0
// A delay of Cycles cycles (0: a wire) that advances only while en_i.
module tally_delay #(
    parameter int unsigned Bits = 8,
    parameter int unsigned Cycles = 1
) (
    input  logic            clk_i,
    input  logic            en_i,
    input  logic [Bits-1:0] data_i,
    output logic [Bits-1:0] data_o
);
  if (Cycles == 0) begin : gen_wire
    logic unused_clk_en;
    assign unused_clk_en = &{clk_i, en_i};
    assign data_o = data_i;
  end else if (Cycles == 1) begin : gen_register
    always_ff @(posedge clk_i) begin
      if (en_i) data_o <= data_i;
    end
  end else begin : gen_line
    logic [Cycles*Bits-1:0] line_q;
    always_ff @(posedge clk_i) begin
      if (en_i) line_q <= {line_q[(Cycles-1)*Bits-1:0], data_i};
    end
    assign data_o = line_q[Cycles*Bits-1-:Bits];
  end
endmodule
