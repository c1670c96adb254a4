// SPDX-License-Identifier: Apache-2.0
// Routine memory: 256 steps of 64 bits in four banks, so that a `routine` writes up to three steps in
// one cycle; one step is fetched a cycle, into a register.
//
// Steps that were not written since reset read as zero. Beside the steps lie two marks each, so that
// the start of a run knows at once whether it goes row by row, and the end of a body is seen ahead.
module tally_vector_routine (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 write_i,
  input  logic [255:0]         word_i,      // the instruction: a routine or a run
  input  logic                 start_i,     // a run starts
  output logic                 by_row_o,    // its steps have a psum or a fold
  output logic                 starts_with_fold_o,
  input  logic                 fetch_i,
  input  logic [7:0]           pc_i,        // step to show in the next cycle
  output tally_isa_pkg::step_t step_o,
  output logic                 fold_next_o  // the step after it is a fold
);

  logic [3:0][63:0] read;
  logic [63:0] step_q;
  logic fold_next_q;
  // One bit a step: written; a fold; a psum or fold.
  logic [255:0] written_q, folds_q, row_steps_q;
  logic [255:0] write_mask, fold_bits, row_bits, run_mask;
  tally_isa_pkg::routine_t routine;
  tally_isa_pkg::run_t run;
  logic [2:0][63:0] steps;
  logic [2:0] counted;

  function automatic logic is_fold(input logic [5:0] op);
    is_fold = op == tally_isa_pkg::StepFoldAdd || op == tally_isa_pkg::StepFoldMax;
  endfunction

  function automatic logic is_psum(input logic [5:0] op);
    is_psum = op == tally_isa_pkg::StepPsumAdd || op == tally_isa_pkg::StepPsumMax;
  endfunction

  always_comb begin
    routine = '0;
    if (write_i) routine = word_i[tally_isa_pkg::RoutinePayloadEnd-1:tally_isa_pkg::PayloadLsb];
  end

  assign steps = {routine.step2, routine.step1, routine.step0};
  assign counted = {routine.count > 2, routine.count > 1, routine.count > 0};

  always_comb begin
    write_mask = '0;
    fold_bits = '0;
    row_bits = '0;
    if (write_i) begin
      for (int unsigned i = 0; i < 3; i++) begin
        if (counted[i]) begin
          write_mask[routine.first+8'(i)] = 1'b1;
          fold_bits[routine.first+8'(i)] = is_fold(steps[i][5:0]);
          row_bits[routine.first+8'(i)] = is_fold(steps[i][5:0]) || is_psum(steps[i][5:0]);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
      folds_q <= '0;
      row_steps_q <= '0;
    end else if (write_i) begin
      written_q <= written_q | write_mask;
      folds_q <= (folds_q & ~write_mask) | fold_bits;
      row_steps_q <= (row_steps_q & ~write_mask) | row_bits;
    end
  end

  // Step p is in bank p mod 4 at p / 4; of three consecutive steps each bank gets at most one.
  for (genvar bank = 0; bank < 4; bank++) begin : gen_banks
    logic [63:0] steps_q[64];
    logic [1:0] index;
    logic [7:0] address;
    logic [5:0] row;
    logic [63:0] data;
    logic hit;

    always_comb begin
      index = '0;
      hit = 1'b0;
      data = '0;
      if (write_i) begin
        index = 2'(bank) - routine.first[1:0];
        hit = index < routine.count;
        data = index == 2'd0 ? steps[0] : index == 2'd1 ? steps[1] : steps[2];
      end
    end
    assign address = routine.first + 8'(index);
    assign row = address[7:2];

    always_ff @(posedge clk_i) begin
      if (hit) steps_q[row] <= data;
    end
    assign read[bank] = fetch_i ? steps_q[pc_i[7:2]] : '0;

    logic unused;
    assign unused = &{address[1:0]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= '0;
      fold_next_q <= 1'b0;
    end else if (fetch_i) begin
      step_q <= written_q[pc_i] ? read[pc_i[1:0]] : '0;
      fold_next_q <= folds_q[pc_i+8'd1];
    end
  end

  assign step_o = step_q;
  assign fold_next_o = fold_next_q;

  always_comb begin
    run = '0;
    run_mask = '0;
    if (start_i) begin
      run = word_i[tally_isa_pkg::RunPayloadEnd-1:tally_isa_pkg::PayloadLsb];
      run_mask = ({256{1'b1}} << run.first) & ({256{1'b1}} >> (8'd255 - run.last));
    end
  end

  assign by_row_o = (row_steps_q & run_mask) != 0;
  assign starts_with_fold_o = start_i && folds_q[run.first];

  logic unused;
  assign unused = &{word_i[47:0], run.extent0, run.extent1, run.extent2, run.increment0, run.increment1,
                    run.increment2, run.increment3, run.increment4, run.increment5,
                    run.increment6, run.increment7};

endmodule
