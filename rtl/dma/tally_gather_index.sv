// SPDX-License-Identifier: Apache-2.0
// Holds the indices of the gather in progress, one port beat a row, and finds those out of range.
//
// An index written with a beat in t can be read from t + 1. bad_o: an index of this beat is outside 0..limit-1; it then
// reads as 0 with bad_index_o.
module tally_gather_index #(
    parameter int unsigned PortBytes = 16
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   start_i,  // of a gather: the next index beat is its first
    input  logic [6:0]             rows_i,
    input  logic [23:0]            limit_i,
    input  logic                   beat_i,
    input  logic [8*PortBytes-1:0] data_i,
    output logic                   bad_o,
    input  logic [5:0]             index_i,
    output logic [23:0]            value_o,
    output logic                   bad_index_o
);
  localparam int unsigned Lanes = PortBytes / 4;  // indices a beat
  localparam int unsigned Beats = tally_isa_pkg::GatherRowsMax / Lanes;
  localparam int unsigned BeatBits = $clog2(Beats);
  localparam int unsigned LaneBits = (Lanes > 1) ? $clog2(Lanes) : 1;

  logic [25*Lanes-1:0] beat_q[Beats];
  logic [25*Lanes-1:0] checked, row;
  logic [Lanes-1:0] bad;
  logic [BeatBits:0] position_q;
  logic [LaneBits-1:0] lane;

  always_comb begin
    checked = '0;
    bad = '0;
    if (beat_i) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        bad[i] = 32'(position_q) * Lanes + i < 32'(rows_i) && data_i[32*i+:32] >= 32'(limit_i);
        checked[25*i+:25] = bad[i] ? {1'b1, 24'd0} : {1'b0, data_i[32*i+:24]};
      end
    end
  end

  assign bad_o = bad != '0;

  always_ff @(posedge clk_i) begin
    if (beat_i) beat_q[BeatBits'(position_q)] <= checked;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) position_q <= '0;
    else if (start_i) position_q <= '0;
    else if (beat_i) position_q <= position_q + 1'b1;
  end

  assign row = beat_q[BeatBits'(32'(index_i) / Lanes)];
  assign lane = LaneBits'(32'(index_i) % Lanes);
  assign {bad_index_o, value_o} = row[32'(lane)*25+:25];
endmodule
