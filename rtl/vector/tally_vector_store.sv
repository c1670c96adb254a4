// SPDX-License-Identifier: Apache-2.0
// From the lanes to a bank row: a store issued in x is a write of one row, with byte strobes, in x + 1.
//
// The group or element is repeated over the row; the strobes pick its place.
module tally_vector_store #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Width = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   store_i,
  input  logic                   space_i,
  input  logic [23:0]            address_i,  // bytes, of the first element
  input  logic                   group_i,
  input  logic                   is_byte_i,
  input  logic [Lanes-1:0]       mask_i,
  input  logic [Lanes-1:0][31:0] operands_i,
  output logic                   wr_valid_o,
  output logic                   wr_space_o,
  output logic [23:0]            wr_address_o,
  output logic [Width-1:0]       wr_strobe_o,
  output logic [8*Width-1:0]     wr_data_o
);

  localparam int unsigned WidthBits = $clog2(Width);

  logic [8*Width-1:0] data;
  logic [Width-1:0] strobe;
  logic [8*Lanes-1:0] bytes;
  logic [31:0] element;
  logic [4*Lanes-1:0] byte_mask;

  always_comb begin
    data = '0;
    strobe = '0;
    bytes = '0;
    element = '0;
    byte_mask = '0;
    if (store_i && group_i && !is_byte_i) begin
      data = {(Width / (4 * Lanes)) {operands_i}};
      for (int unsigned i = 0; i < Lanes; i++) byte_mask[4*i+:4] = {4{mask_i[i]}};
      strobe = Width'(byte_mask) << address_i[WidthBits-1:0];
    end else if (store_i && group_i) begin
      for (int unsigned i = 0; i < Lanes; i++) bytes[8*i+:8] = operands_i[i][7:0];
      data = {(Width / Lanes) {bytes}};
      strobe = Width'(mask_i) << address_i[WidthBits-1:0];
    end else if (store_i) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        if (mask_i[i]) element = operands_i[i];
      end
      data = is_byte_i ? {Width{element[7:0]}} : {(Width / 4) {element}};
      strobe = Width'({{3{!is_byte_i}}, 1'b1}) << address_i[WidthBits-1:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wr_valid_o <= 1'b0;
    else wr_valid_o <= store_i;
  end

  always_ff @(posedge clk_i) begin
    if (store_i) begin
      wr_space_o <= space_i;
      wr_address_o <= {address_i[23:WidthBits], WidthBits'(0)};
      wr_strobe_o <= strobe;
      wr_data_o <= data;
    end
  end

endmodule
