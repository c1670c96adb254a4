// SPDX-License-Identifier: Apache-2.0
// The accumulator stage: adds the array's sums to accumulator rows, or writes them.
//
//   cycle t      row_valid_i: what to do with a row whose sums come in t + 1; the old row is read when adding
//   cycle t + 1  sum_i; the result is formed from the old row, or from a result that is not yet in memory
//   cycle t + 2  the result is written (wr_*) and the instruction may end (end_o)
//
// The write of the row before, in t + 1, and of the one before that, in t, come too late for the read in t: both are
// forwarded, column by column, since rows may differ in the columns they write.
module tally_accumulate #(
    parameter int unsigned Columns = 16,
    parameter int unsigned RowBits = 10
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     row_valid_i,
    input  tally_pkg::accumulate_t   row_i,
    input  logic [Columns-1:0][31:0] sum_i,
    // Accumulator memory
    output logic                     rd_valid_o,
    output logic [RowBits-1:0]       rd_row_o,
    input  logic [Columns-1:0][31:0] rd_data_i,
    output logic                     wr_valid_o,
    output logic [RowBits-1:0]       wr_row_o,
    output logic [Columns-1:0]       wr_mask_o,
    output logic [Columns-1:0][31:0] wr_data_o,
    output logic                     wr_last_k_o,
    output logic [31:0]              wr_seq_o,
    output tally_pkg::end_t          end_o
);
  // Suffixes: 1 the row whose sums are there, 2 the result being written, 3 the result written in the cycle before.
  logic valid1_q, valid2_q, valid3_q;
  tally_pkg::accumulate_t row1_q, row2_q;
  logic [RowBits-1:0] acc_row1, acc_row2, acc_row3_q;
  logic [Columns-1:0] mask1, mask2_q, mask3_q;
  logic [Columns-1:0][31:0] data2_q, data3_q, old, result;
  logic same2, same3;

  assign rd_valid_o = row_valid_i && row_i.add;
  assign rd_row_o = RowBits'(row_i.acc_row);
  assign acc_row1 = RowBits'(row1_q.acc_row);
  assign acc_row2 = RowBits'(row2_q.acc_row);
  assign same2 = valid2_q && acc_row2 == acc_row1;
  assign same3 = valid3_q && acc_row3_q == acc_row1;

  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) mask1[c] = 32'(row1_q.columns) > c;
  end

  always_comb begin
    old = rd_data_i;
    if (same2 || same3) begin
      for (int unsigned c = 0; c < Columns; c++) begin
        if (same2 && mask2_q[c]) old[c] = data2_q[c];
        else if (same3 && mask3_q[c]) old[c] = data3_q[c];
      end
    end
  end

  always_comb begin
    result = sum_i;
    if (row1_q.add) begin
      for (int unsigned c = 0; c < Columns; c++) result[c] = sum_i[c] + old[c];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else begin
      valid1_q <= row_valid_i;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (row_valid_i) row1_q <= row_i;
    if (valid1_q) begin
      row2_q  <= row1_q;
      mask2_q <= mask1;
      data2_q <= result;
    end
    if (valid2_q) begin
      acc_row3_q <= acc_row2;
      mask3_q <= mask2_q;
      data3_q <= data2_q;
    end
  end

  assign wr_valid_o = valid2_q;
  assign wr_row_o = acc_row2;
  assign wr_mask_o = mask2_q;
  assign wr_data_o = data2_q;
  assign wr_last_k_o = row2_q.last_k;
  assign wr_seq_o = row2_q.seq;
  assign end_o.valid = valid2_q && row2_q.ends;
  assign end_o.seq = row2_q.seq;
  assign end_o.posts = row2_q.posts;

  logic unused_fields;
  assign unused_fields = &{1'b0, row1_q.acc_row, row2_q};
endmodule
