// SPDX-License-Identifier: Apache-2.0
// Where a load or store goes, and in how many accesses.
//
// Element address = start + row0 x stride0 + row1 x stride1 + (group x L + lane) x stride2, modulo
// 2^24. A place whose elements lie side by side and aligned is one access (in accumulators one for
// each min(L, C) columns), as is one element for all lanes; else one access an element.
module tally_vector_address #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Columns = 16
) (
  input  logic                        enable_i,
  input  logic                        tail_i,
  input  tally_isa_pkg::stream_t      stream_i,
  input  tally_vector_pkg::position_t position_i,
  input  logic [6:0]                  count_i,     // active elements of the place
  input  logic [23:0]                 offset_i,    // elements from the place's first to this access
  output logic [23:0]                 address_o,   // in bytes
  output logic                        group_o,     // the access holds an element for each lane
  output logic                        shared_o,    // one element for all active lanes
  output logic [6:0]                  accesses_o,
  output logic [23:0]                 advance_o    // elements to the next access of the place
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Chunk = Lanes < Columns ? Lanes : Columns;
  localparam int unsigned ChunkBits = $clog2(Chunk);

  logic [23:0] first, element, stride0, stride1, stride2;
  logic accumulators, aligned;

  assign stride0 = {{4{stream_i.stride0[19]}}, stream_i.stride0};
  assign stride1 = {{4{stream_i.stride1[19]}}, stream_i.stride1};
  assign stride2 = {{4{stream_i.stride2[19]}}, stream_i.stride2};
  assign accumulators = stream_i.space == tally_isa_pkg::SpaceAccumulators;

  always_comb begin
    first = '0;
    element = '0;
    aligned = 1'b0;
    address_o = '0;
    group_o = 1'b0;
    shared_o = 1'b0;
    accesses_o = 7'd1;
    advance_o = stride2;
    if (enable_i) begin
      first = stream_i.start + 24'(position_i.row0) * stride0 + 24'(position_i.row1) * stride1 +
              ((24'(position_i.group) * stride2) << LaneBits);
      element = first + offset_i;
      address_o = stream_i.element[1] ? element : element << 2;  // i8 and u8, or four bytes
      aligned = (first & 24'(Lanes - 1)) == 0;
      shared_o = tail_i || count_i <= 7'd1 || stride2 == 0;
      group_o = !shared_o && stride2 == 24'd1 && aligned;
      if (group_o && accumulators) begin
        accesses_o = 7'((count_i + 7'(Chunk - 1)) >> ChunkBits);
        advance_o = 24'(Chunk);
      end else if (!group_o && !shared_o) begin
        accesses_o = count_i;
      end
    end
  end

  logic unused;
  assign unused = &{stream_i.stream, stream_i.element[2], stream_i.element[0], position_i.empty};

endmodule
