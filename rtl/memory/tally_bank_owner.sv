// SPDX-License-Identifier: Apache-2.0
// Asserts that a bank is used by one unit at a time, from an instruction's accesses to its end. Simulation only.
//
// Each port is the access of one unit in this cycle, with the instruction it is for. A bank belongs to the last unit that
// used it until that instruction has ended; its end in t lets another unit in from t + 1. Ends of a unit come in order.
`include "tally_assert.svh"

module tally_bank_owner #(
    parameter int unsigned Banks = 8,
    parameter int unsigned Ports = 5,
    parameter logic [3*Ports-1:0] PortUnit = '0,  // tally_isa_pkg::unit_e of each port
    localparam int unsigned BankBits = $clog2(Banks)
) (
    input logic                             clk_i,
    input logic                             rst_ni,
    input logic [Ports-1:0]                 access_i,
    input logic [Ports-1:0][BankBits-1:0]   bank_i,
    input logic [Ports-1:0][31:0]           seq_i,
    input logic [4:1]                       end_i,
    input logic [4:1][31:0]                 end_seq_i
);
  logic [Banks-1:0] owned_q;
  logic [2:0] unit_q[Banks];
  logic [31:0] seq_q[Banks];
  logic [4:1][31:0] unended_q;  // no instruction of the unit before this one is still under way

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unended_q <= '0;
    end else begin
      for (int unsigned u = 1; u <= 4; u++) begin
        if (end_i[u]) unended_q[u] <= end_seq_i[u] + 32'd1;
      end
    end
  end

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    logic foreign;  // another unit still has the bank
    assign foreign = access_i[p] && owned_q[bank_i[p]] && unit_q[bank_i[p]] != PortUnit[3*p+:3]
        && seq_q[bank_i[p]] >= unended_q[32'(unit_q[bank_i[p]])];
    `TALLY_ASSERT(OneOwner, !foreign)
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owned_q <= '0;
    end else begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (access_i[p]) owned_q[bank_i[p]] <= 1'b1;
      end
    end
  end

  // A unit's accesses for an older instruction do not shorten what a younger one holds.
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      if (access_i[p]) begin
        unit_q[bank_i[p]] <= PortUnit[3*p+:3];
        if (!owned_q[bank_i[p]] || unit_q[bank_i[p]] != PortUnit[3*p+:3] || seq_i[p] > seq_q[bank_i[p]]) begin
          seq_q[bank_i[p]] <= seq_i[p];
        end
      end
    end
  end
endmodule
