// SPDX-License-Identifier: Apache-2.0
// From a bank row to the lanes: picks the group or the element, and extends bytes to 32 bits.
//
// Combinational, in the cycle in which the row comes. Rows of accumulators are C words; where L > C
// one of them serves lanes k C .. (k + 1) C - 1, and the mask of the load picks k.
module tally_vector_load #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Columns = 16,
  parameter int unsigned RowBytes = 64
) (
  input  tally_vector_pkg::load_t      load_i,
  input  logic                         accumulators_i,
  input  logic [$clog2(RowBytes)-1:0]  offset_i,  // bytes, of the first element in the row
  input  logic [8*RowBytes-1:0]        row_i,
  output logic [Lanes-1:0][31:0]       data_o
);

  localparam int unsigned OffsetBits = $clog2(RowBytes);
  localparam int unsigned BitBits = OffsetBits + 3;

  logic [32*Lanes-1:0] words;
  logic [8*Lanes-1:0] bytes;
  logic [31:0] word;
  logic [7:0] single;

  // A group is aligned to its size: the low bits of its offset are zero.
  function automatic logic [BitBits-1:0] group_bit(input logic [OffsetBits-1:0] offset,
                                                   input int unsigned group_bytes);
    group_bit = {offset & OffsetBits'(~(group_bytes - 1)), 3'b0};
  endfunction

  function automatic logic [31:0] extend(input logic [7:0] value, input logic is_signed);
    extend = {{24{is_signed && value[7]}}, value};
  endfunction

  always_comb begin
    words = '0;
    bytes = '0;
    word = '0;
    single = '0;
    data_o = '0;
    if (load_i.valid && !load_i.group) begin
      word = row_i[group_bit(offset_i, 4)+:32];
      single = word[{offset_i[1:0], 3'b0}+:8];
      data_o = {Lanes{load_i.is_byte ? extend(single, load_i.is_signed) : word}};
    end else if (load_i.valid && load_i.is_byte) begin
      bytes = row_i[group_bit(offset_i, Lanes)+:8*Lanes];
      for (int unsigned i = 0; i < Lanes; i++) data_o[i] = extend(bytes[8*i+:8], load_i.is_signed);
    end else if (load_i.valid && accumulators_i && Lanes > Columns) begin
      for (int unsigned i = 0; i < Lanes; i++) data_o[i] = row_i[32*(i%Columns)+:32];
    end else if (load_i.valid) begin
      words = row_i[group_bit(offset_i, 4*Lanes)+:32*Lanes];
      data_o = words;
    end
  end

  logic unused;
  assign unused = &{load_i.address};

endmodule
