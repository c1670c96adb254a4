// SPDX-License-Identifier: Apache-2.0
// Loads weight tiles: walks column tiles (outermost) and K tiles of one instruction and reads one row a cycle.
//
// A tile begins to load once the tile before it streams (tile_free_i, in the same cycle at the earliest), and its rows
// follow without pause. Rows beyond K (transposed: beyond N) take their cycle and are not read; they count as zero.
// ready_o: the instruction's last row is read in this cycle, or there is none. The row read in t is on weight_o in t + 1.
module tally_matrix_loader #(
    parameter int unsigned Rows = 16,
    parameter int unsigned Columns = 16,
    parameter int unsigned Width = 64,
    localparam int unsigned Widest = (Rows > Columns) ? Rows : Columns
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    // Instruction
    input  logic                   start_i,
    input  tally_pkg::queued_t     head_i,
    output logic                   ready_o,
    // Tile being loaded: begins in this cycle, ends in this cycle
    input  logic                   tile_free_i,
    output logic                   tile_begin_o,
    output logic                   tile_end_o,
    output tally_pkg::tile_t       tile_o,
    // Weight scratchpad
    output logic                   row_o,  // a row is loaded in this cycle, read or not
    output logic                   rd_valid_o,
    output logic [23:0]            rd_address_o,
    input  logic [8*Width-1:0]     rd_data_i,
    // Array
    output logic                   weight_en_o,
    output logic                   weight_load_o,
    output logic                   weight_transposed_o,
    output logic [Widest-1:0][7:0] weight_o
);
  localparam int unsigned RowBits = $clog2(Widest);
  localparam int unsigned ColumnShift = $clog2(Columns);
  localparam int unsigned DrainBits = $clog2(Rows + Columns + 1);

  logic valid_q;
  tally_isa_pkg::matmul_t instruction, instruction_q;
  logic [31:0] seq_q;
  logic [17:0] posts_q;
  // Position: what is left of N and K from this tile on, row in the tile, and the addresses that go with them.
  logic [15:0] n_left_q, k_left_q, acc_row_q;
  logic [23:0] w_column_q, w_row_q, a_tile_q;
  logic first_k_q;
  logic [RowBits-1:0] row_q;

  logic load, last_row, last_k, last_n, row_is_read;
  // The next K tile of a transposed operand starts R bytes after this one, C - 1 rows above.
  logic [23:0] next_column, k_tile_beside;

  assign instruction = tally_isa_pkg::decode_matmul(head_i.word);
  assign load = valid_q && (row_q != '0 || tile_free_i);
  assign last_row = row_q == RowBits'((instruction_q.transposed ? Columns : Rows) - 1);
  assign last_k = 32'(k_left_q) <= Rows;
  assign last_n = 32'(n_left_q) <= Columns;
  assign row_is_read = 16'(row_q) < (instruction_q.transposed ? n_left_q : k_left_q);
  assign next_column = w_column_q + (instruction_q.transposed ? 24'(instruction_q.w_pitch) << ColumnShift
                                                              : 24'(Columns));
  assign k_tile_beside = w_column_q + (a_tile_q - instruction_q.a_address) + 24'(Rows);

  assign ready_o = !valid_q || (load && last_row && last_k && last_n);
  assign row_o = load;
  assign rd_valid_o = load && row_is_read;
  assign rd_address_o = w_row_q;
  assign tile_begin_o = load && row_q == '0;
  assign tile_end_o = load && last_row;

  always_comb begin
    tile_o.m = instruction_q.m;
    tile_o.a_address = a_tile_q;
    tile_o.a_pitch = instruction_q.a_pitch;
    tile_o.is_unsigned = instruction_q.a_unsigned;
    tile_o.acc_row = acc_row_q;
    tile_o.acc_m_stride = instruction_q.acc_m_stride;
    tile_o.add = !first_k_q || instruction_q.mode == tally_isa_pkg::ModeAdd;
    tile_o.columns = last_n ? 9'(n_left_q) : 9'(Columns);
    tile_o.last_k = last_k;
    tile_o.last_tile = last_k && last_n;
    tile_o.seq = seq_q;
    tile_o.posts = posts_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (ready_o) valid_q <= start_i;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      instruction_q <= instruction;
      seq_q <= head_i.seq;
      posts_q <= head_i.word[tally_isa_pkg::PostLsb+:18];
      n_left_q <= instruction.n;
      k_left_q <= instruction.k;
      acc_row_q <= instruction.acc_row;
      w_column_q <= instruction.w_address;
      w_row_q <= instruction.w_address;
      a_tile_q <= instruction.a_address;
      first_k_q <= 1'b1;
      row_q <= '0;
    end else if (load && !last_row) begin
      row_q <= row_q + 1'b1;
      w_row_q <= w_row_q + 24'(instruction_q.w_pitch);
    end else if (load && !last_k) begin
      // Next K tile: in a stored (K, N) operand it follows the last row, transposed it lies beside this one.
      row_q <= '0;
      k_left_q <= k_left_q - 16'(Rows);
      w_row_q <= instruction_q.transposed ? k_tile_beside : w_row_q + 24'(instruction_q.w_pitch);
      a_tile_q <= a_tile_q + 24'(Rows);
      first_k_q <= 1'b0;
    end else if (load) begin
      row_q <= '0;
      n_left_q <= n_left_q - 16'(Columns);
      k_left_q <= instruction_q.k;
      acc_row_q <= acc_row_q + instruction_q.acc_n_stride;
      w_column_q <= next_column;
      w_row_q <= next_column;
      a_tile_q <= instruction_q.a_address;
      first_k_q <= 1'b1;
    end
  end

  // Stage of the row that was read: cut out of the bank's row, elements beyond K cleared.
  localparam int unsigned ColumnSegments = Width / Columns;
  localparam int unsigned RowSegments = Width / Rows;
  localparam int unsigned ColumnSegmentBits = (ColumnSegments > 1) ? $clog2(ColumnSegments) : 1;
  localparam int unsigned RowSegmentBits = (RowSegments > 1) ? $clog2(RowSegments) : 1;

  logic staged_q, staged_read_q;
  logic [RowSegmentBits-1:0] row_segment_q;
  logic [ColumnSegmentBits-1:0] column_segment_q;
  logic [Rows-1:0] k_mask_q;
  logic [DrainBits-1:0] drain_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      staged_q <= 1'b0;
      weight_load_o <= 1'b0;
      drain_q <= '0;
    end else begin
      staged_q <= load;
      weight_load_o <= tile_begin_o;
      if (load) drain_q <= DrainBits'(Rows + Columns);
      else if (drain_q != '0) drain_q <= drain_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      staged_read_q <= row_is_read;
      weight_transposed_o <= instruction_q.transposed;
      row_segment_q <= RowSegmentBits'((32'(w_row_q) / Rows) % RowSegments);
      column_segment_q <= ColumnSegmentBits'((32'(w_row_q) / Columns) % ColumnSegments);
      for (int unsigned r = 0; r < Rows; r++) k_mask_q[r] <= 32'(k_left_q) > r;
    end
  end

  always_comb begin
    weight_o = '0;
    if (staged_q && staged_read_q) begin
      if (weight_transposed_o) begin
        weight_o[Rows-1:0] = rd_data_i[row_segment_q*8*Rows+:8*Rows];
        for (int unsigned r = 0; r < Rows; r++) begin
          if (!k_mask_q[r]) weight_o[r] = '0;
        end
      end else begin
        weight_o[Columns-1:0] = rd_data_i[column_segment_q*8*Columns+:8*Columns];
      end
    end
  end

  // The last row has crossed all skew registers R + C - 1 cycles after it was read.
  assign weight_en_o = drain_q != '0;

  logic unused_fields;
  assign unused_fields = &{1'b0, instruction_q, head_i.word};
endmodule
