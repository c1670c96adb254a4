// SPDX-License-Identifier: Apache-2.0
// Walks a run: batches of 8 places, the steps of the body for each batch, the fold and the steps after
// it once a row. Says in every cycle which step works on which place, and fetches the next step.
//
// A run started in S issues from S + 1 on. A place of a step takes one or more cycles (`sub_o` counts
// them); the cycles follow from the step, the accesses that the address generator asks for, the
// pipeline's latency (partial sums wait for their last addition) and the iterative unit.
module tally_vector_sequencer #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Latency = 4,
  parameter int unsigned DivideBits = 2
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        start_i,
  input  logic [255:0]                word_i,              // the run
  input  logic                        by_row_i,
  input  logic                        starts_with_fold_i,
  output logic                        fetch_o,
  output logic [7:0]                  pc_o,
  input  logic [5:0]                  op_i,                // of the step in this cycle
  input  logic                        fold_next_i,
  input  logic [6:0]                  accesses_i,
  input  logic [23:0]                 advance_i,
  output logic                        running_o,           // cycles S + 1 .. S + N
  output logic                        ending_o,            // cycle E = S + N + 1
  output logic                        tail_o,
  output tally_vector_pkg::position_t position_o,
  output logic [2:0]                  place_o,
  output logic [6:0]                  count_o,             // active elements of the place
  output logic [6:0]                  sub_o,
  output logic [23:0]                 offset_o,            // elements, within the place
  output logic [6:0]                  fold_half_o,         // h; 64 while the last psum ends
  output logic                        fold_issue_o,
  output logic [15:0]                 row_length_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Slots = tally_isa_pkg::PartialSums / Lanes;
  localparam int unsigned DivideSteps = (26 + DivideBits - 1) / DivideBits;
  localparam int unsigned Interval = DivideSteps + 1;
  localparam int unsigned TailCycles = 8;
  localparam int unsigned TailDivideCycles = Interval > TailCycles ? Interval : TailCycles;
  // Places of a psum before the first partial sum comes again, if that is before its result.
  localparam bit PsumWaits = Latency * Lanes > tally_isa_pkg::PartialSums;
  localparam int unsigned PsumWait = PsumWaits ? Latency - Slots : 0;
  localparam int unsigned FoldFirst = Latency > 1 ? 64 : 32;

  logic [7:0] first_q, last_q, pc_q, pc_d;
  logic [15:0] extent0_q, extent1_q, extent2_q, last_group_q;
  logic [6:0] last_count_q;
  logic by_row_q, starts_with_fold_q;

  logic running_q, running_d, ending_q, tail_q, tail_d;
  tally_vector_pkg::position_t batch_q, batch_d, position_q, position_d, after, next_row;
  logic [2:0] place_q, place_d;
  logic [6:0] sub_q, sub_d, half_q, half_d, cycles, fold_issues;
  logic [23:0] offset_q, offset_d;
  logic is_fold, is_memory, is_divide, is_psum, last_row, place_end, step_end;
  tally_isa_pkg::run_t run;

  assign is_fold = op_i == tally_isa_pkg::StepFoldAdd || op_i == tally_isa_pkg::StepFoldMax;
  assign is_memory = op_i == tally_isa_pkg::StepLoad || op_i == tally_isa_pkg::StepStore;
  assign is_divide = op_i == tally_isa_pkg::StepDiv || op_i == tally_isa_pkg::StepSqrt;
  assign is_psum = op_i == tally_isa_pkg::StepPsumAdd || op_i == tally_isa_pkg::StepPsumMax;

  always_comb begin
    run = '0;
    if (start_i) run = word_i[tally_isa_pkg::RunPayloadEnd-1:tally_isa_pkg::PayloadLsb];
  end

  // Cycles of the present place, or of the present level of a fold.
  always_comb begin
    fold_issues = '0;
    if (tail_q && is_fold && half_q != 7'd64) begin
      fold_issues = half_q > 7'(Lanes) ? half_q >> LaneBits : 7'd1;
    end
    cycles = 7'd1;
    if (running_q) begin
      if (tail_q && is_fold) cycles = fold_issues + 7'(Latency - 1);
      else if (is_divide) cycles = tail_q ? 7'(TailDivideCycles) : 7'(Interval);
      else if (tail_q) cycles = 7'(TailCycles);
      else if (is_memory) cycles = accesses_i;
      else if (is_psum && PsumWaits && (place_q & 3'(Slots - 1)) == 3'(Slots - 1)) begin
        cycles = 7'(1 + PsumWait);
      end
    end
    place_end = running_q && sub_q == cycles - 7'd1;
    step_end = place_end && (tail_q ? !is_fold || half_q == 7'd1 : place_q == 3'd7);
  end

  // Where the next group is: in this row, in the next, or nowhere.
  always_comb begin
    last_row = position_q.row0 == extent0_q - 16'd1 && position_q.row1 == extent1_q - 16'd1;
    next_row = position_q;
    next_row.group = '0;
    next_row.empty = 1'b0;
    if (position_q.row1 == extent1_q - 16'd1) begin
      next_row.row0 = position_q.row0 + 16'd1;
      next_row.row1 = '0;
    end else begin
      next_row.row1 = position_q.row1 + 16'd1;
    end
    after = position_q;
    if (!position_q.empty) begin
      if (position_q.group != last_group_q) after.group = position_q.group + 16'd1;
      else if (by_row_q || last_row) after.empty = 1'b1;
      else after = next_row;
    end
  end

  always_comb begin
    running_d = running_q;
    tail_d = tail_q;
    pc_d = pc_q;
    batch_d = batch_q;
    position_d = position_q;
    place_d = place_q;
    sub_d = sub_q;
    half_d = half_q;
    offset_d = offset_q;
    if (start_i) begin
      running_d = 1'b1;
      tail_d = starts_with_fold_i;
      pc_d = run.first;
      batch_d = '0;
      position_d = '0;
      place_d = '0;
      sub_d = '0;
      half_d = 7'(FoldFirst);
      offset_d = '0;
    end else if (running_q) begin
      sub_d = place_end ? '0 : sub_q + 7'd1;
      offset_d = place_end ? '0 : is_memory ? offset_q + advance_i : '0;
      if (place_end && tail_q && is_fold) half_d = half_q == 7'd1 ? 7'(FoldFirst) : half_q >> 1;
      if (place_end && !tail_q) begin
        place_d = place_q + 3'd1;
        position_d = after;
      end
      if (step_end && !tail_q && pc_q != last_q && !fold_next_i) begin
        pc_d = pc_q + 8'd1;  // the next step of the body, for the same batch
        position_d = batch_q;
      end else if (step_end && !tail_q && !after.empty) begin
        pc_d = first_q;
        batch_d = after;
      end else if (step_end && pc_q != last_q) begin
        pc_d = pc_q + 8'd1;  // in the tail or into it
        tail_d = 1'b1;
        position_d.group = '0;
        position_d.empty = 1'b0;
      end else if (step_end && by_row_q && !last_row) begin
        pc_d = first_q;
        tail_d = starts_with_fold_q;
        batch_d = next_row;
        position_d = next_row;
      end else if (step_end) begin
        running_d = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      ending_q <= 1'b0;
    end else begin
      running_q <= running_d;
      ending_q <= running_q && !running_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      first_q <= run.first;
      last_q <= run.last;
      extent0_q <= run.extent0;
      extent1_q <= run.extent1;
      extent2_q <= run.extent2;
      last_group_q <= (run.extent2 - 16'd1) >> LaneBits;
      last_count_q <= 7'((run.extent2 - 16'd1) & 16'(Lanes - 1)) + 7'd1;
      by_row_q <= by_row_i;
      starts_with_fold_q <= starts_with_fold_i;
    end
    if (start_i || running_q) begin
      tail_q <= tail_d;
      pc_q <= pc_d;
      batch_q <= batch_d;
      position_q <= position_d;
      place_q <= place_d;
      sub_q <= sub_d;
      half_q <= half_d;
      offset_q <= offset_d;
    end
  end

  assign fetch_o = start_i || (step_end && running_d);
  assign pc_o = pc_d;
  assign running_o = running_q;
  assign ending_o = ending_q;
  assign tail_o = tail_q;
  assign position_o = position_q;
  assign place_o = tail_q ? '0 : place_q;
  assign count_o = position_q.empty ? '0 :
                   position_q.group == last_group_q ? last_count_q : 7'(Lanes);
  assign sub_o = sub_q;
  assign offset_o = offset_q;
  assign fold_half_o = half_q;
  assign fold_issue_o = running_q && tail_q && is_fold && sub_q < fold_issues;
  assign row_length_o = extent2_q;

  logic unused;
  assign unused = &{word_i[47:0], run.increment0, run.increment1, run.increment2, run.increment3,
                    run.increment4, run.increment5, run.increment6, run.increment7};

endmodule
