// SPDX-License-Identifier: Apache-2.0
// The fold's network: partial sum 0 of lane j + h goes to lane j, for h below L.
module tally_vector_fold #(
  parameter int unsigned Lanes = 16
) (
  input  logic                   enable_i,
  input  logic [6:0]             half_i,  // h
  input  logic [Lanes-1:0][31:0] partials_i,
  output logic [Lanes-1:0][31:0] neighbours_o
);

  always_comb begin
    neighbours_o = '0;
    if (enable_i) begin
      for (int unsigned h = 1; h < Lanes; h = 2 * h) begin
        if (half_i == 7'(h)) neighbours_o = partials_i >> (32 * h);
      end
    end
  end

endmodule
