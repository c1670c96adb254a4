// SPDX-License-Identifier: Apache-2.0
// Decodes three semaphore slots (waits or posts) to one bit for each semaphore.
//
// error_o: an unused slot is not all zero, or two slots name the same semaphore.
module tally_slots (
    input  logic [17:0] slots_i,
    output logic [31:0] mask_o,
    output logic        error_o
);
  always_comb begin
    mask_o = '0;
    error_o = 1'b0;
    for (int unsigned i = 0; i < tally_isa_pkg::SyncSlots; i++) begin
      if (slots_i[6*i+5]) begin
        if (mask_o[slots_i[6*i+:5]]) error_o = 1'b1;
        mask_o[slots_i[6*i+:5]] = 1'b1;
      end else if (slots_i[6*i+:5] != '0) begin
        error_o = 1'b1;
      end
    end
  end
endmodule
