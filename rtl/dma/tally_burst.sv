// SPDX-License-Identifier: Apache-2.0
// The next burst of a contiguous transfer: as much as is left, up to the 4 KiB boundary and 256 beats.
module tally_burst #(
    parameter int unsigned PortBytes = 16
) (
    input  logic [11:0] page_offset_i,
    input  logic [19:0] left_bytes_i,
    output logic [12:0] bytes_o,
    output logic [7:0]  len_o,  // beats - 1
    output logic        last_o  // nothing is left after it
);
  localparam int unsigned Beats256 = tally_pkg::BurstBeatsMax * PortBytes;
  localparam int unsigned BytesMax = (Beats256 < tally_pkg::PageBytes) ? Beats256 : tally_pkg::PageBytes;

  logic [12:0] to_boundary, limit;

  assign to_boundary = 13'(tally_pkg::PageBytes) - 13'(page_offset_i);
  assign limit = (32'(to_boundary) < BytesMax) ? to_boundary : 13'(BytesMax);
  assign last_o = left_bytes_i <= 20'(limit);
  assign bytes_o = last_o ? 13'(left_bytes_i) : limit;
  assign len_o = 8'(32'(bytes_o) / PortBytes - 1);
endmodule
