// SPDX-License-Identifier: Apache-2.0
// The vector unit: stream registers, routine memory, sequencer, address generator, L lanes, and the
// paths between lanes and memory. docs/timing.md, "Vector", gives its cycles.
//
// A run started in S (`head_start_i`) issues in S + 1 .. S + N and ends in E = S + N + 1; `stream` and
// `routine` end in the cycle in which they start. A read requested in x has its row on `rd_data_i` in
// x + 1; a store issued in x writes in x + 1.
`include "tally_assert.svh"

module tally_vector #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Columns = 16,
  parameter int unsigned Latency = 4,
  parameter int unsigned DivideBits = 2,
  parameter int unsigned Width = 64,
  parameter int unsigned ActivationBytes = 262144,
  parameter int unsigned WeightBytes = 262144,
  parameter int unsigned AccumulatorRows = 1024,
  localparam int unsigned ReadBytes = Width > 4 * Columns ? Width : 4 * Columns
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   head_valid_i,  // read by assertions only
  input  logic [255:0]           head_word_i,
  input  logic [31:0]            head_seq_i,
  output logic                   head_ready_o,
  input  logic                   head_start_i,
  output logic                   end_valid_o,
  output logic [31:0]            end_seq_o,
  output logic                   active_o,
  output logic                   busy_o,
  output logic                   rd_valid_o,
  output logic [1:0]             rd_space_o,
  output logic [23:0]            rd_address_o,
  input  logic [8*ReadBytes-1:0] rd_data_i,
  output logic                   wr_valid_o,
  output logic                   wr_space_o,
  output logic [23:0]            wr_address_o,
  output logic [Width-1:0]       wr_strobe_o,
  output logic [8*Width-1:0]     wr_data_o,
  output logic                   op_valid_o,
  output logic [5:0]             op_code_o,
  output logic [6:0]             op_count_o
);

  localparam int unsigned Slots = tally_isa_pkg::PartialSums / Lanes;
  localparam int unsigned DivideSteps = (26 + DivideBits - 1) / DivideBits;
  localparam int unsigned AccumulatorBytes = AccumulatorRows * 4 * Columns;
  localparam int unsigned OffsetBits = $clog2(ReadBytes);

  logic start_stream, start_routine, start_run;
  logic [31:0] seq_q;

  // Sequencer.
  logic by_row, starts_with_fold, fetch, fold_next, running, ending, tail, fold_issue;
  logic [7:0] pc;
  tally_isa_pkg::step_t step;
  tally_vector_pkg::position_t position;
  logic [2:0] place;
  logic [6:0] count, sub, accesses, fold_half;
  logic [23:0] offset, advance;
  logic [15:0] row_length;

  // Memory.
  tally_isa_pkg::stream_t stream;
  logic [23:0] raw_address, address;
  logic group, shared, is_byte, access, load, store, memory_step;
  logic [Lanes-1:0] access_mask, load_mask_q;
  tally_vector_pkg::load_t load_q;
  logic load_accumulators_q;
  logic [OffsetBits-1:0] load_offset_q;
  logic [Lanes-1:0][31:0] load_data;

  // Lanes.
  tally_vector_pkg::issue_t issue;
  tally_vector_pkg::write_t write_now, write_end;
  logic is_psum, is_divide, is_fold, first_cycle, present, divide, pipeline_step;
  logic [Lanes-1:0] body_mask, issue_mask, write_mask, end_mask, x_fresh, y_fresh;
  logic [Lanes-1:0][31:0] neighbours, partials, operands, results;
  logic advance_pipe;
  logic [63:0] written_q;
  logic [6:0] access_count, issue_count;

  function automatic logic [Lanes-1:0] lanes_below(input logic [6:0] limit);
    lanes_below = limit >= 7'(Lanes) ? '1 : (Lanes'(1) << limit) - Lanes'(1);
  endfunction

  // Lanes whose element `from` + lane lies beyond the row.
  function automatic logic [Lanes-1:0] lanes_beyond(input logic [15:0] length,
                                                    input logic [6:0] from);
    logic [15:0] left;
    left = length > 16'(from) ? length - 16'(from) : '0;
    lanes_beyond = ~lanes_below(left > 16'd64 ? 7'd64 : left[6:0]);
  endfunction

  // Head of the queue.
  always_comb begin
    start_stream = head_start_i && head_word_i[7:0] == tally_isa_pkg::OpStream;
    start_routine = head_start_i && head_word_i[7:0] == tally_isa_pkg::OpRoutine;
    start_run = head_start_i && head_word_i[7:0] == tally_isa_pkg::OpRun;
  end

  always_ff @(posedge clk_i) begin
    if (start_run) seq_q <= head_seq_i;
  end

  assign head_ready_o = !running && !ending;
  assign active_o = running || ending;
  assign end_valid_o = ending || start_stream || start_routine;
  assign end_seq_o = ending ? seq_q : head_seq_i;

  tally_vector_routine u_routine (
    .clk_i,
    .rst_ni,
    .write_i(start_routine),
    .word_i(head_word_i),
    .start_i(start_run),
    .by_row_o(by_row),
    .starts_with_fold_o(starts_with_fold),
    .fetch_i(fetch),
    .pc_i(pc),
    .step_o(step),
    .fold_next_o(fold_next)
  );

  tally_vector_sequencer #(
    .Lanes(Lanes),
    .Latency(Latency),
    .DivideBits(DivideBits)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i(start_run),
    .word_i(head_word_i),
    .by_row_i(by_row),
    .starts_with_fold_i(starts_with_fold),
    .fetch_o(fetch),
    .pc_o(pc),
    .op_i(step.op),
    .fold_next_i(fold_next),
    .accesses_i(accesses),
    .advance_i(advance),
    .running_o(running),
    .ending_o(ending),
    .tail_o(tail),
    .position_o(position),
    .place_o(place),
    .count_o(count),
    .sub_o(sub),
    .offset_o(offset),
    .fold_half_o(fold_half),
    .fold_issue_o(fold_issue),
    .row_length_o(row_length)
  );

  tally_vector_streams u_streams (
    .clk_i,
    .rst_ni,
    .write_i(start_stream),
    .start_i(start_run),
    .word_i(head_word_i),
    .increment_i(ending),
    .select_i(step.stream),
    .stream_o(stream)
  );

  tally_vector_address #(
    .Lanes(Lanes),
    .Columns(Columns)
  ) u_address (
    .enable_i(memory_step),
    .tail_i(tail),
    .stream_i(stream),
    .position_i(position),
    .count_i(count),
    .offset_i(offset),
    .address_o(raw_address),
    .group_o(group),
    .shared_o(shared),
    .accesses_o(accesses),
    .advance_o(advance)
  );

  // What the step in this cycle is.
  always_comb begin
    is_psum = step.op == tally_isa_pkg::StepPsumAdd || step.op == tally_isa_pkg::StepPsumMax;
    is_fold = step.op == tally_isa_pkg::StepFoldAdd || step.op == tally_isa_pkg::StepFoldMax;
    is_divide = step.op == tally_isa_pkg::StepDiv || step.op == tally_isa_pkg::StepSqrt;
    memory_step = running &&
        (step.op == tally_isa_pkg::StepLoad || step.op == tally_isa_pkg::StepStore);
    first_cycle = running && sub == 0;
    present = count != 0;
    divide = running && is_divide && present;
    access = memory_step && present && (!tail || first_cycle);
    load = access && step.op == tally_isa_pkg::StepLoad;
    // Accumulators cannot be stored to: such a step works, but writes nothing.
    store = access && step.op == tally_isa_pkg::StepStore &&
            stream.space != tally_isa_pkg::SpaceAccumulators;
  end

  // Memory sizes are powers of two; addresses wrap.
  always_comb begin
    address = '0;
    if (memory_step) begin
      unique case (stream.space)
        tally_isa_pkg::SpaceActivations: address = raw_address & 24'(ActivationBytes - 1);
        tally_isa_pkg::SpaceWeights: address = raw_address & 24'(WeightBytes - 1);
        default: address = raw_address & 24'(AccumulatorBytes - 1);
      endcase
    end
  end

  // Lanes that take part.
  always_comb begin
    body_mask = '0;
    access_mask = '0;
    access_count = 7'd1;
    if (running) body_mask = tail ? '1 : lanes_below(count);
    if (access && group) begin
      access_mask = body_mask;
      access_count = count;
      if (Lanes > Columns && stream.space == tally_isa_pkg::SpaceAccumulators) begin
        access_mask = body_mask & (lanes_below(7'(Columns)) << offset[6:0]);
        access_count = count - offset[6:0] > 7'(Columns) ? 7'(Columns) : count - offset[6:0];
      end
    end else if (access && shared) begin
      access_mask = tail && store ? Lanes'(1) : body_mask;
      access_count = tail ? 7'd1 : count;
    end else if (access) begin
      access_mask = Lanes'(1) << sub;
    end
  end

  // Issue to the lanes.
  assign pipeline_step = tally_vector_pkg::path_of(step.op) != '0;

  always_comb begin
    issue = '0;
    x_fresh = '0;
    y_fresh = '0;
    issue_mask = body_mask;
    issue_count = tail ? 7'(Lanes) : count;
    if (running) begin
      issue.valid = is_fold ? fold_issue : first_cycle && present && pipeline_step;
      issue.op = step.op;
      issue.path = tally_vector_pkg::path_of(step.op);
      issue.subtract = step.op == tally_isa_pkg::StepSub;
      issue.store = store;
      issue.dst = {step.dst, place};
      issue.a = {step.a, place};
      issue.b = {step.b, place};
      issue.a_written = written_q[{step.a, place}];
      issue.b_written = written_q[{step.b, place}];
      issue.dst_written = written_q[{step.dst, place}];
      issue.immediate = step.immediate;
      issue.imm = step.imm;
      issue.psum = is_psum;
      issue.fold = is_fold;
      issue.maximum = step.op == tally_isa_pkg::StepPsumMax ||
                      step.op == tally_isa_pkg::StepFoldMax;
      issue.divide_start = divide && first_cycle;
      issue.divide_step = divide && !first_cycle && sub <= 7'(DivideSteps);
      issue.divide_last = divide && sub == 7'(DivideSteps);
      if (store) issue_mask = access_mask;
      if (is_psum) begin
        issue.slot = 6'(position.group) & 6'(Slots - 1);
        x_fresh = {Lanes{position.group < 16'(Slots)}};
      end
      if (fold_issue) begin
        issue.slot = sub[5:0];
        issue.other = sub[5:0] + 6'(fold_half >> $clog2(Lanes));
        issue.neighbour = fold_half < 7'(Lanes);
        issue_mask = lanes_below(fold_half);
        issue_count = fold_half < 7'(Lanes) ? fold_half : 7'(Lanes);
        if (fold_half == 7'd32) begin
          x_fresh = lanes_beyond(row_length, sub << $clog2(Lanes));
          y_fresh = lanes_beyond(row_length, (sub << $clog2(Lanes)) + 7'd32);
        end
      end
    end
  end

  always_comb begin
    write_now = '0;
    write_now.valid = issue.valid;
    write_now.broadcast = fold_issue && fold_half == 7'd1;
    write_now.partial = is_psum || (is_fold && !write_now.broadcast);
    write_now.address = write_now.partial ? issue.slot : issue.dst;
    write_mask = write_now.broadcast ? '1 : issue_mask;
  end

  tally_vector_pipe #(
    .Lanes(Lanes),
    .Latency(Latency)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .write_i(write_now),
    .mask_i(write_mask),
    .advance_o(advance_pipe),
    .write_o(write_end),
    .mask_o(end_mask)
  );

  tally_vector_fold #(
    .Lanes(Lanes)
  ) u_fold (
    .enable_i(issue.neighbour),
    .half_i(fold_half),
    .partials_i(partials),
    .neighbours_o(neighbours)
  );

  for (genvar i = 0; i < Lanes; i++) begin : gen_lanes
    tally_lane #(
      .Lanes(Lanes),
      .Latency(Latency),
      .DivideBits(DivideBits)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .issue_i(issue),
      .active_i(issue_mask[i]),
      .x_fresh_i(x_fresh[i]),
      .y_fresh_i(y_fresh[i]),
      .neighbour_i(neighbours[i]),
      .partial_o(partials[i]),
      .operand_o(operands[i]),
      .advance_i(advance_pipe),
      .write_i(write_end),
      .write_active_i(end_mask[i]),
      .broadcast_i(results[0]),
      .result_o(results[i]),
      .load_active_i(load_q.valid && load_mask_q[i]),
      .load_address_i(load_q.address),
      .load_data_i(load_data[i])
    );
  end

  // Registers that were written since reset; marked at issue, read at the earliest when the value is
  // there.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
    end else if ((issue.valid && !write_now.partial) || load || issue.divide_start) begin
      written_q[issue.dst] <= 1'b1;
    end
  end

  // Loads: the row comes one cycle after the request.
  assign is_byte = stream.element[1];
  assign rd_valid_o = load;
  assign rd_space_o = load ? stream.space : '0;
  assign rd_address_o = load ? address : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_q <= '0;
    end else if (load) begin
      load_q.valid <= 1'b1;
      load_q.group <= group;
      load_q.is_byte <= is_byte;
      load_q.is_signed <= stream.element == tally_isa_pkg::ElementI8;
      load_q.address <= issue.dst;
    end else begin
      load_q.valid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      load_mask_q <= access_mask;
      load_accumulators_q <= stream.space == tally_isa_pkg::SpaceAccumulators;
      load_offset_q <= OffsetBits'(address) &
          (stream.space == tally_isa_pkg::SpaceAccumulators ? OffsetBits'(4 * Columns - 1)
                                                            : OffsetBits'(Width - 1));
    end
  end

  tally_vector_load #(
    .Lanes(Lanes),
    .Columns(Columns),
    .RowBytes(ReadBytes)
  ) u_load (
    .load_i(load_q),
    .accumulators_i(load_accumulators_q),
    .offset_i(load_offset_q),
    .row_i(rd_data_i),
    .data_o(load_data)
  );

  tally_vector_store #(
    .Lanes(Lanes),
    .Width(Width)
  ) u_store (
    .clk_i,
    .rst_ni,
    .store_i(store),
    .space_i(stream.space[0]),
    .address_i(address),
    .group_i(group),
    .is_byte_i(is_byte),
    .mask_i(access_mask),
    .operands_i(operands),
    .wr_valid_o,
    .wr_space_o,
    .wr_address_o,
    .wr_strobe_o,
    .wr_data_o
  );

  // Events.
  assign op_valid_o = access || issue.valid || issue.divide_start;
  assign op_code_o = op_valid_o ? step.op : '0;
  assign op_count_o = !op_valid_o ? '0 : access ? access_count : issue_count;

  always_comb begin
    busy_o = start_stream || start_routine;
    if (running) begin
      busy_o = is_fold && tail ? fold_issue : memory_step && !tail ? 1'b1 : first_cycle;
    end
  end

  `TALLY_ASSERT_INIT(LanesPowerOfTwo, Lanes >= 1 && Lanes <= 64 && (Lanes & (Lanes - 1)) == 0,
                     "Lanes is a power of two of at most 64")
  `TALLY_ASSERT_INIT(LatencyInRange, Latency >= 1 && Latency <= 8, "Latency is 1 to 8")
  `TALLY_ASSERT_INIT(DivideBitsInRange, DivideBits == 1 || DivideBits == 2 || DivideBits == 4,
                     "DivideBits is 1, 2 or 4")
  `TALLY_ASSERT_INIT(WidthHoldsGroup, Width >= 4 * Lanes && (Width & (Width - 1)) == 0,
                     "Width is a power of two and holds a group")
  `TALLY_ASSERT(StartsWhenReady, head_start_i |-> head_valid_i && head_ready_o)
  `TALLY_ASSERT_INIT(MemoriesPowersOfTwo,
                     (ActivationBytes & (ActivationBytes - 1)) == 0 &&
                     (WeightBytes & (WeightBytes - 1)) == 0 &&
                     (AccumulatorRows & (AccumulatorRows - 1)) == 0,
                     "sizes of memories are powers of two")

  logic unused;
  assign unused = &{head_valid_i, step.reserved, results};

endmodule
