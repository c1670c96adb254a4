// SPDX-License-Identifier: Apache-2.0
// The accelerator: fetch, queues, load and store DMA, matrix unit, vector unit, memories, one AXI4 master.
//
// A run begins with a pulse on start_i after a reset; cycle 0 is the cycle after it. It ends in cycle T
// (docs/timing.md) with done_o, which stays until the next reset; cycle_o is then T and counters_o, zero before,
// hold the counts of cycles 0 .. T - 1. The trace ports only show what happens in this cycle.
module tally_top #(
    parameter int unsigned Rows = 16,
    parameter int unsigned Columns = 16,
    parameter int unsigned Lanes = 16,
    parameter int unsigned VectorLatency = 4,
    parameter int unsigned DivideBits = 2,
    parameter int unsigned ActivationBanks = 16,
    parameter int unsigned ActivationBankBytes = 16384,
    parameter int unsigned WeightBanks = 8,
    parameter int unsigned WeightBankBytes = 32768,
    parameter int unsigned AccumulatorBanks = 8,
    parameter int unsigned AccumulatorBankBytes = 8192,
    parameter int unsigned PortBytes = 16,
    parameter int unsigned LoadOutstanding = 8,
    parameter int unsigned StoreOutstanding = 2,
    parameter int unsigned FetchBuffers = 2,
    parameter int unsigned FetchBurstBytes = 512,
    parameter int unsigned LoadQueue = 8,
    parameter int unsigned StoreQueue = 8,
    parameter int unsigned MatrixQueue = 8,
    parameter int unsigned VectorQueue = 16,
    parameter logic [63:0] ConfigHash = 64'd0,
    // Width of a scratchpad bank in bytes: the widest of its readers and writers.
    localparam int unsigned WidestDatapath = (4 * Lanes > Rows) ? 4 * Lanes : Rows,
    localparam int unsigned WidestStream = (Columns > PortBytes) ? Columns : PortBytes,
    localparam int unsigned Width = (WidestDatapath > WidestStream) ? WidestDatapath : WidestStream
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    // Program
    input  logic                              start_i,
    input  logic [39:0]                       program_address_i,
    input  logic [31:0]                       instruction_count_i,
    input  logic [63:0]                       program_hash_i,
    input  logic [15:0][39:0]                 base_i,
    // AXI4 read
    output logic                              ar_valid_o,
    input  logic                              ar_ready_i,
    output logic                              ar_id_o,  // 0 fetch, 1 load
    output logic [39:0]                       ar_addr_o,
    output logic [7:0]                        ar_len_o,
    output logic [2:0]                        ar_size_o,
    output logic [1:0]                        ar_burst_o,
    input  logic                              r_valid_i,
    output logic                              r_ready_o,
    input  logic                              r_id_i,
    input  logic [8*PortBytes-1:0]            r_data_i,
    input  logic [1:0]                        r_resp_i,
    input  logic                              r_last_i,
    // AXI4 write
    output logic                              aw_valid_o,
    input  logic                              aw_ready_i,
    output logic [39:0]                       aw_addr_o,
    output logic [7:0]                        aw_len_o,
    output logic [2:0]                        aw_size_o,
    output logic [1:0]                        aw_burst_o,
    output logic                              w_valid_o,
    input  logic                              w_ready_i,
    output logic [8*PortBytes-1:0]            w_data_o,
    output logic [PortBytes-1:0]              w_strb_o,
    output logic                              w_last_o,
    input  logic                              b_valid_i,
    output logic                              b_ready_o,
    input  logic [1:0]                        b_resp_i,
    // State of the run
    output logic                              running_o,
    output logic                              done_o,
    output logic [1:0]                        outcome_o,  // tally_pkg::outcome_e
    output logic [3:0]                        fault_code_o,  // tally_pkg::fault_e
    output logic [2:0]                        fault_unit_o,
    output logic [31:0]                       fault_seq_o,
    output logic [47:0]                       fault_cycle_o,
    output logic [4:1]                        head_valid_o,
    output logic [4:1][31:0]                  head_seq_o,
    output logic [31:0][7:0]                  semaphore_count_o,
    output logic [63:0]                       config_hash_o,
    output logic [47:0]                       cycle_o,
    output tally_pkg::counters_t              counters_o,
    // Trace
    output logic [4:1]                        start_valid_o,
    output logic [4:1][31:0]                  start_seq_o,
    output logic [4:1]                        end_valid_o,
    output logic [4:1][31:0]                  end_seq_o,
    output logic                              load_write_valid_o,
    output logic                              load_write_space_o,
    output logic [23:0]                       load_write_address_o,
    output logic [8*PortBytes-1:0]            load_write_data_o,
    output logic [31:0]                       load_write_seq_o,
    output logic                              vector_write_valid_o,
    output logic                              vector_write_space_o,
    output logic [23:0]                       vector_write_address_o,
    output logic [Width-1:0]                  vector_write_strobe_o,
    output logic [8*Width-1:0]                vector_write_data_o,
    output logic [31:0]                       vector_write_seq_o,
    output logic                              accumulator_write_valid_o,
    output logic [15:0]                       accumulator_write_row_o,
    output logic [Columns-1:0]                accumulator_write_mask_o,
    output logic [32*Columns-1:0]             accumulator_write_data_o,
    output logic                              accumulator_write_last_k_o,
    output logic [31:0]                       accumulator_write_seq_o,
    output logic                              store_beat_valid_o,
    output logic [31:0]                       store_beat_seq_o,
    output logic                              dispatch_valid_o
);
  localparam int unsigned ActivationBytes = ActivationBanks * ActivationBankBytes;
  localparam int unsigned WeightBytes = WeightBanks * WeightBankBytes;
  localparam int unsigned AccumulatorBytes = AccumulatorBanks * AccumulatorBankBytes;
  localparam int unsigned AccumulatorRowBytes = 4 * Columns;
  localparam int unsigned AccumulatorRows = AccumulatorBytes / AccumulatorRowBytes;
  localparam int unsigned ActivationRowBits = $clog2(ActivationBytes / Width);
  localparam int unsigned WeightRowBits = $clog2(WeightBytes / Width);
  localparam int unsigned AccumulatorRowBits = $clog2(AccumulatorRows);
  localparam int unsigned VectorReadBytes = (Width > AccumulatorRowBytes) ? Width : AccumulatorRowBytes;
  localparam int unsigned PortSegments = Width / PortBytes;

  // Run -----------------------------------------------------------------------------------------------------------
  logic begin_run, running, run_ends, complete, stop, any_active;
  logic [15:0][39:0] base_q;
  logic wrong_design_q;
  tally_pkg::outcome_e outcome;
  tally_pkg::fault_e fault_code;

  assign begin_run = start_i && !running_o && !done_o;

  always_ff @(posedge clk_i) begin
    if (begin_run) begin
      base_q <= base_i;
      wrong_design_q <= program_hash_i != ConfigHash;
    end
  end

  // Fetch and dispatch --------------------------------------------------------------------------------------------
  logic [2:0] raise, request_ready, pending, accept;
  tally_pkg::burst_t fetch_burst, load_burst, store_burst;
  logic fetch_beat, load_beat, beat_error;
  logic fetch_valid, fetch_ready, fetch_outstanding, fetch_complete;
  tally_pkg::queued_t fetched;
  tally_pkg::fault_t fetch_fault, dispatch_fault;
  logic static_fault;
  logic [4:1] queue_full, push, head_valid, ready, semaphores_ok, start;

  assign fetch_beat = r_valid_i && !r_id_i;
  assign load_beat = r_valid_i && r_id_i;
  assign beat_error = r_resp_i != 2'b00;
  assign r_ready_o = 1'b1;
  assign b_ready_o = 1'b1;

  tally_fetch #(
      .PortBytes(PortBytes),
      .Buffers(FetchBuffers),
      .BurstBytes(FetchBurstBytes)
  ) u_fetch (
      .clk_i,
      .rst_ni,
      .load_i(begin_run),
      .program_address_i,
      .instruction_count_i,
      .running_i(running),
      .stop_i(stop),
      .raise_o(raise[0]),
      .burst_o(fetch_burst),
      .request_ready_i(request_ready[0]),
      .accept_i(accept[0]),
      .beat_i(fetch_beat),
      .beat_data_i(r_data_i),
      .beat_error_i(beat_error),
      .beat_last_i(r_last_i),
      .valid_o(fetch_valid),
      .instruction_o(fetched),
      .ready_i(fetch_ready),
      .outstanding_o(fetch_outstanding),
      .complete_o(fetch_complete),
      .fault_o(fetch_fault)
  );

  tally_dispatch #(
      .Rows(Rows),
      .Columns(Columns),
      .ActivationBytes(ActivationBytes),
      .WeightBytes(WeightBytes),
      .AccumulatorBytes(AccumulatorBytes),
      .PortBytes(PortBytes)
  ) u_dispatch (
      .clk_i,
      .rst_ni,
      .running_i(running),
      .stop_i(stop),
      .wrong_design_i(wrong_design_q),
      .valid_i(fetch_valid),
      .instruction_i(fetched),
      .ready_o(fetch_ready),
      .full_i(queue_full),
      .push_o(push),
      .found_o(static_fault),
      .fault_o(dispatch_fault)
  );

  // Queues and semaphores -----------------------------------------------------------------------------------------
  tally_pkg::queued_t load_head, store_head, matrix_head, vector_head;

  tally_fifo #(
      .Bits($bits(fetched)),
      .Depth(LoadQueue)
  ) u_load_queue (
      .clk_i,
      .rst_ni,
      .push_i(push[1]),
      .data_i(fetched),
      .full_o(queue_full[1]),
      .pop_i(start[1]),
      .head_o(load_head),
      .valid_o(head_valid[1])
  );

  tally_fifo #(
      .Bits($bits(fetched)),
      .Depth(StoreQueue)
  ) u_store_queue (
      .clk_i,
      .rst_ni,
      .push_i(push[2]),
      .data_i(fetched),
      .full_o(queue_full[2]),
      .pop_i(start[2]),
      .head_o(store_head),
      .valid_o(head_valid[2])
  );

  tally_fifo #(
      .Bits($bits(fetched)),
      .Depth(MatrixQueue)
  ) u_matrix_queue (
      .clk_i,
      .rst_ni,
      .push_i(push[3]),
      .data_i(fetched),
      .full_o(queue_full[3]),
      .pop_i(start[3]),
      .head_o(matrix_head),
      .valid_o(head_valid[3])
  );

  tally_fifo #(
      .Bits($bits(fetched)),
      .Depth(VectorQueue)
  ) u_vector_queue (
      .clk_i,
      .rst_ni,
      .push_i(push[4]),
      .data_i(fetched),
      .full_o(queue_full[4]),
      .pop_i(start[4]),
      .head_o(vector_head),
      .valid_o(head_valid[4])
  );

  tally_pkg::end_t load_end, store_end, matrix_end, vector_end;
  logic [4:1] end_valid, overflow;
  logic [17:0] vector_posts_q;

  assign start = head_valid & ready & semaphores_ok & {4{running}};
  assign end_valid = {vector_end.valid, matrix_end.valid, store_end.valid, load_end.valid};

  tally_semaphores u_semaphores (
      .clk_i,
      .rst_ni,
      .waits_i({
        vector_head.word[tally_isa_pkg::WaitLsb+:18],
        matrix_head.word[tally_isa_pkg::WaitLsb+:18],
        store_head.word[tally_isa_pkg::WaitLsb+:18],
        load_head.word[tally_isa_pkg::WaitLsb+:18]
      }),
      .start_i(start),
      .end_i(end_valid),
      .posts_i({vector_end.posts, matrix_end.posts, store_end.posts, load_end.posts}),
      .ok_o(semaphores_ok),
      .overflow_o(overflow),
      .count_o(semaphore_count_o)
  );

  // Load and store DMA, port --------------------------------------------------------------------------------------
  tally_pkg::fault_t load_fault, store_fault;
  logic load_wr;
  logic store_rd;
  logic [1:0] store_rd_space;
  logic [23:0] store_rd_address;
  logic [31:0] store_rd_seq;
  logic [8*Width-1:0] store_activation_data, store_weight_data;
  logic [32*Columns-1:0] store_accumulator_data;

  tally_load #(
      .PortBytes(PortBytes),
      .Outstanding(LoadOutstanding)
  ) u_load (
      .clk_i,
      .rst_ni,
      .start_i(start[1]),
      .head_i(load_head),
      .base_i(base_q),
      .ready_o(ready[1]),
      .end_o(load_end),
      .fault_o(load_fault),
      .raise_o(raise[1]),
      .burst_o(load_burst),
      .request_ready_i(request_ready[1]),
      .accept_i(accept[1]),
      .beat_i(load_beat),
      .beat_data_i(r_data_i),
      .beat_error_i(beat_error),
      .beat_last_i(r_last_i),
      .wr_valid_o(load_wr),
      .wr_space_o(load_write_space_o),
      .wr_address_o(load_write_address_o),
      .wr_data_o(load_write_data_o),
      .wr_seq_o(load_write_seq_o)
  );

  tally_store #(
      .PortBytes(PortBytes),
      .Outstanding(StoreOutstanding),
      .ScratchpadBytes(Width),
      .AccumulatorBytes(AccumulatorRowBytes)
  ) u_store (
      .clk_i,
      .rst_ni,
      .start_i(start[2]),
      .head_i(store_head),
      .base_i(base_q),
      .ready_o(ready[2]),
      .end_o(store_end),
      .fault_o(store_fault),
      .rd_valid_o(store_rd),
      .rd_space_o(store_rd_space),
      .rd_address_o(store_rd_address),
      .rd_seq_o(store_rd_seq),
      .activation_data_i(store_activation_data),
      .weight_data_i(store_weight_data),
      .accumulator_data_i(store_accumulator_data),
      .raise_o(raise[2]),
      .burst_o(store_burst),
      .request_ready_i(request_ready[2]),
      .accept_i(accept[2]),
      .beat_valid_o(w_valid_o),
      .beat_ready_i(w_ready_i),
      .beat_data_o(w_data_o),
      .beat_last_o(w_last_o),
      .beat_seq_o(store_beat_seq_o),
      .response_i(b_valid_i),
      .response_error_i(b_resp_i != 2'b00)
  );

  assign w_strb_o = '1;

  tally_port #(
      .PortBytes(PortBytes)
  ) u_port (
      .clk_i,
      .rst_ni,
      .raise_i(raise),
      .fetch_burst_i(fetch_burst),
      .load_burst_i(load_burst),
      .store_burst_i(store_burst),
      .ready_o(request_ready),
      .pending_o(pending),
      .accept_o(accept),
      .ar_valid_o,
      .ar_ready_i,
      .ar_id_o,
      .ar_addr_o,
      .ar_len_o,
      .ar_size_o,
      .ar_burst_o,
      .aw_valid_o,
      .aw_ready_i,
      .aw_addr_o,
      .aw_len_o,
      .aw_size_o,
      .aw_burst_o
  );

  // A beat in its place in a bank's row.
  logic [Width-1:0] load_strobe;
  logic [8*Width-1:0] load_data;

  assign load_strobe = Width'({PortBytes{1'b1}}) << (32'(load_write_address_o) % Width);
  assign load_data = {PortSegments{load_write_data_o}};

  // Matrix unit ---------------------------------------------------------------------------------------------------
  logic matrix_busy, streamed;
  logic matrix_activation_rd, matrix_weight_rd, matrix_accumulator_rd, accumulator_wr;
  logic [23:0] matrix_activation_address, matrix_weight_address;
  logic [8*Width-1:0] matrix_activation_data, matrix_weight_data;
  logic [32*Columns-1:0] matrix_accumulator_data;
  logic [AccumulatorRowBits-1:0] matrix_accumulator_row, accumulator_wr_row;
  logic [31:0] matrix_activation_seq, matrix_weight_seq, matrix_accumulator_seq;

  tally_matrix #(
      .Rows(Rows),
      .Columns(Columns),
      .Width(Width),
      .AccumulatorRowBits(AccumulatorRowBits)
  ) u_matrix (
      .clk_i,
      .rst_ni,
      .start_i(start[3]),
      .head_i(matrix_head),
      .ready_o(ready[3]),
      .end_o(matrix_end),
      .busy_o(matrix_busy),
      .streamed_o(streamed),
      .activation_rd_o(matrix_activation_rd),
      .activation_address_o(matrix_activation_address),
      .activation_data_i(matrix_activation_data),
      .weight_rd_o(matrix_weight_rd),
      .weight_address_o(matrix_weight_address),
      .weight_data_i(matrix_weight_data),
      .accumulator_rd_o(matrix_accumulator_rd),
      .accumulator_rd_row_o(matrix_accumulator_row),
      .accumulator_rd_data_i(matrix_accumulator_data),
      .accumulator_wr_o(accumulator_wr),
      .accumulator_wr_row_o(accumulator_wr_row),
      .accumulator_wr_mask_o(accumulator_write_mask_o),
      .accumulator_wr_data_o(accumulator_write_data_o),
      .accumulator_wr_last_k_o(accumulator_write_last_k_o),
      .accumulator_wr_seq_o(accumulator_write_seq_o),
      .activation_seq_o(matrix_activation_seq),
      .weight_seq_o(matrix_weight_seq),
      .accumulator_rd_seq_o(matrix_accumulator_seq)
  );

  // Vector unit ---------------------------------------------------------------------------------------------------
  logic vector_active, vector_busy, vector_rd, vector_wr, vector_wr_space, operation;
  logic [1:0] vector_rd_space, vector_rd_space_q;
  logic [23:0] vector_rd_address, vector_wr_address;
  logic [8*VectorReadBytes-1:0] vector_rd_data;
  logic [8*Width-1:0] vector_activation_data, vector_weight_data;
  logic [32*Columns-1:0] vector_accumulator_data;
  logic [5:0] operation_code;
  logic [6:0] operation_count;

  tally_vector #(
      .Lanes(Lanes),
      .Columns(Columns),
      .Latency(VectorLatency),
      .DivideBits(DivideBits),
      .Width(Width),
      .ActivationBytes(ActivationBytes),
      .WeightBytes(WeightBytes),
      .AccumulatorRows(AccumulatorRows)
  ) u_vector (
      .clk_i,
      .rst_ni,
      .head_valid_i(head_valid[4]),
      .head_word_i(vector_head.word),
      .head_seq_i(vector_head.seq),
      .head_ready_o(ready[4]),
      .head_start_i(start[4]),
      .end_valid_o(vector_end.valid),
      .end_seq_o(vector_end.seq),
      .active_o(vector_active),
      .busy_o(vector_busy),
      .rd_valid_o(vector_rd),
      .rd_space_o(vector_rd_space),
      .rd_address_o(vector_rd_address),
      .rd_data_i(vector_rd_data),
      .wr_valid_o(vector_wr),
      .wr_space_o(vector_wr_space),
      .wr_address_o(vector_wr_address),
      .wr_strobe_o(vector_write_strobe_o),
      .wr_data_o(vector_write_data_o),
      .op_valid_o(operation),
      .op_code_o(operation_code),
      .op_count_o(operation_count)
  );

  // One run at a time: what ends while another starts is the starting one itself, a stream or routine.
  assign vector_end.posts = start[4] ? vector_head.word[tally_isa_pkg::PostLsb+:18] : vector_posts_q;

  always_ff @(posedge clk_i) begin
    if (start[4]) begin
      vector_posts_q <= vector_head.word[tally_isa_pkg::PostLsb+:18];
      vector_write_seq_o <= vector_head.seq;
    end
    if (vector_rd) vector_rd_space_q <= vector_rd_space;
  end

  always_comb begin
    unique case (vector_rd_space_q)
      tally_isa_pkg::SpaceActivations: vector_rd_data = (8 * VectorReadBytes)'(vector_activation_data);
      tally_isa_pkg::SpaceWeights: vector_rd_data = (8 * VectorReadBytes)'(vector_weight_data);
      default: vector_rd_data = (8 * VectorReadBytes)'(vector_accumulator_data);
    endcase
  end

  // Memories ------------------------------------------------------------------------------------------------------
  logic store_activation_rd, store_weight_rd, store_accumulator_rd;
  logic vector_activation_rd, vector_weight_rd, vector_accumulator_rd;
  logic load_activation_wr, load_weight_wr, vector_activation_wr, vector_weight_wr;

  assign store_activation_rd = store_rd && store_rd_space == tally_isa_pkg::SpaceActivations;
  assign store_weight_rd = store_rd && store_rd_space == tally_isa_pkg::SpaceWeights;
  assign store_accumulator_rd = store_rd && store_rd_space == tally_isa_pkg::SpaceAccumulators;
  assign vector_activation_rd = vector_rd && vector_rd_space == tally_isa_pkg::SpaceActivations;
  assign vector_weight_rd = vector_rd && vector_rd_space == tally_isa_pkg::SpaceWeights;
  assign vector_accumulator_rd = vector_rd && vector_rd_space == tally_isa_pkg::SpaceAccumulators;
  assign load_activation_wr = load_wr && !load_write_space_o;
  assign load_weight_wr = load_wr && load_write_space_o;
  assign vector_activation_wr = vector_wr && !vector_wr_space;
  assign vector_weight_wr = vector_wr && vector_wr_space;

  tally_scratchpad #(
      .Banks(ActivationBanks),
      .BankBytes(ActivationBankBytes),
      .Width(Width)
  ) u_activations (
      .clk_i,
      .rst_ni,
      .matrix_rd_i(matrix_activation_rd),
      .matrix_row_i(ActivationRowBits'(32'(matrix_activation_address) / Width)),
      .matrix_data_o(matrix_activation_data),
      .store_rd_i(store_activation_rd),
      .store_row_i(ActivationRowBits'(32'(store_rd_address) / Width)),
      .store_data_o(store_activation_data),
      .vector_rd_i(vector_activation_rd),
      .vector_row_i(ActivationRowBits'(32'(vector_rd_address) / Width)),
      .vector_data_o(vector_activation_data),
      .load_wr_i(load_activation_wr),
      .load_wr_row_i(ActivationRowBits'(32'(load_write_address_o) / Width)),
      .load_wr_strobe_i(load_strobe),
      .load_wr_data_i(load_data),
      .vector_wr_i(vector_activation_wr),
      .vector_wr_row_i(ActivationRowBits'(32'(vector_wr_address) / Width)),
      .vector_wr_strobe_i(vector_write_strobe_o),
      .vector_wr_data_i(vector_write_data_o)
  );

  tally_scratchpad #(
      .Banks(WeightBanks),
      .BankBytes(WeightBankBytes),
      .Width(Width)
  ) u_weights (
      .clk_i,
      .rst_ni,
      .matrix_rd_i(matrix_weight_rd),
      .matrix_row_i(WeightRowBits'(32'(matrix_weight_address) / Width)),
      .matrix_data_o(matrix_weight_data),
      .store_rd_i(store_weight_rd),
      .store_row_i(WeightRowBits'(32'(store_rd_address) / Width)),
      .store_data_o(store_weight_data),
      .vector_rd_i(vector_weight_rd),
      .vector_row_i(WeightRowBits'(32'(vector_rd_address) / Width)),
      .vector_data_o(vector_weight_data),
      .load_wr_i(load_weight_wr),
      .load_wr_row_i(WeightRowBits'(32'(load_write_address_o) / Width)),
      .load_wr_strobe_i(load_strobe),
      .load_wr_data_i(load_data),
      .vector_wr_i(vector_weight_wr),
      .vector_wr_row_i(WeightRowBits'(32'(vector_wr_address) / Width)),
      .vector_wr_strobe_i(vector_write_strobe_o),
      .vector_wr_data_i(vector_write_data_o)
  );

  tally_accumulators #(
      .Banks(AccumulatorBanks),
      .BankBytes(AccumulatorBankBytes),
      .Columns(Columns)
  ) u_accumulators (
      .clk_i,
      .rst_ni,
      .matrix_rd_i(matrix_accumulator_rd),
      .matrix_row_i(matrix_accumulator_row),
      .matrix_data_o(matrix_accumulator_data),
      .store_rd_i(store_accumulator_rd),
      .store_row_i(AccumulatorRowBits'(32'(store_rd_address) / AccumulatorRowBytes)),
      .store_data_o(store_accumulator_data),
      .vector_rd_i(vector_accumulator_rd),
      .vector_row_i(AccumulatorRowBits'(32'(vector_rd_address) / AccumulatorRowBytes)),
      .vector_data_o(vector_accumulator_data),
      .wr_i(accumulator_wr),
      .wr_row_i(accumulator_wr_row),
      .wr_mask_i(accumulator_write_mask_o),
      .wr_data_i(accumulator_write_data_o)
  );

  // Assertions of who uses the banks.
`ifndef SYNTHESIS
  localparam int unsigned ActivationBankBits = $clog2(ActivationBanks);
  localparam int unsigned WeightBankBits = $clog2(WeightBanks);
  localparam int unsigned AccumulatorBankBits = $clog2(AccumulatorBanks);
  localparam int unsigned AccumulatorBankRows = AccumulatorRows / AccumulatorBanks;

  tally_bank_owner #(
      .Banks(ActivationBanks),
      .Ports(5),
      .PortUnit({
        tally_isa_pkg::UnitVector,
        tally_isa_pkg::UnitLoad,
        tally_isa_pkg::UnitVector,
        tally_isa_pkg::UnitStore,
        tally_isa_pkg::UnitMatrix
      })
  ) u_activation_owner (
      .clk_i,
      .rst_ni,
      .access_i({
        vector_activation_wr, load_activation_wr, vector_activation_rd, store_activation_rd, matrix_activation_rd
      }),
      .bank_i({
        ActivationBankBits'(32'(vector_wr_address) / ActivationBankBytes),
        ActivationBankBits'(32'(load_write_address_o) / ActivationBankBytes),
        ActivationBankBits'(32'(vector_rd_address) / ActivationBankBytes),
        ActivationBankBits'(32'(store_rd_address) / ActivationBankBytes),
        ActivationBankBits'(32'(matrix_activation_address) / ActivationBankBytes)
      }),
      .seq_i({vector_write_seq_o, load_write_seq_o, vector_write_seq_o, store_rd_seq, matrix_activation_seq}),
      .end_i(end_valid),
      .end_seq_i(end_seq_o)
  );

  tally_bank_owner #(
      .Banks(WeightBanks),
      .Ports(5),
      .PortUnit({
        tally_isa_pkg::UnitVector,
        tally_isa_pkg::UnitLoad,
        tally_isa_pkg::UnitVector,
        tally_isa_pkg::UnitStore,
        tally_isa_pkg::UnitMatrix
      })
  ) u_weight_owner (
      .clk_i,
      .rst_ni,
      .access_i({vector_weight_wr, load_weight_wr, vector_weight_rd, store_weight_rd, matrix_weight_rd}),
      .bank_i({
        WeightBankBits'(32'(vector_wr_address) / WeightBankBytes),
        WeightBankBits'(32'(load_write_address_o) / WeightBankBytes),
        WeightBankBits'(32'(vector_rd_address) / WeightBankBytes),
        WeightBankBits'(32'(store_rd_address) / WeightBankBytes),
        WeightBankBits'(32'(matrix_weight_address) / WeightBankBytes)
      }),
      .seq_i({vector_write_seq_o, load_write_seq_o, vector_write_seq_o, store_rd_seq, matrix_weight_seq}),
      .end_i(end_valid),
      .end_seq_i(end_seq_o)
  );

  tally_bank_owner #(
      .Banks(AccumulatorBanks),
      .Ports(4),
      .PortUnit({
        tally_isa_pkg::UnitMatrix, tally_isa_pkg::UnitVector, tally_isa_pkg::UnitStore, tally_isa_pkg::UnitMatrix
      })
  ) u_accumulator_owner (
      .clk_i,
      .rst_ni,
      .access_i({accumulator_wr, vector_accumulator_rd, store_accumulator_rd, matrix_accumulator_rd}),
      .bank_i({
        AccumulatorBankBits'(32'(accumulator_wr_row) / AccumulatorBankRows),
        AccumulatorBankBits'(32'(vector_rd_address) / AccumulatorBankBytes),
        AccumulatorBankBits'(32'(store_rd_address) / AccumulatorBankBytes),
        AccumulatorBankBits'(32'(matrix_accumulator_row) / AccumulatorBankRows)
      }),
      .seq_i({accumulator_write_seq_o, vector_write_seq_o, store_rd_seq, matrix_accumulator_seq}),
      .end_i(end_valid),
      .end_seq_i(end_seq_o)
  );
`endif

  // Faults, end of the run, counters ------------------------------------------------------------------------------
  logic [4:0] in_flight;
  tally_pkg::fault_t fetch_first, load_first, store_first, matrix_first, vector_first;
  tally_pkg::events_t events;

  tally_in_flight u_load_in_flight (
      .clk_i,
      .rst_ni,
      .start_i(start[1]),
      .end_i(end_valid[1]),
      .in_flight_o(in_flight[1])
  );
  tally_in_flight u_store_in_flight (
      .clk_i,
      .rst_ni,
      .start_i(start[2]),
      .end_i(end_valid[2]),
      .in_flight_o(in_flight[2])
  );
  tally_in_flight u_matrix_in_flight (
      .clk_i,
      .rst_ni,
      .start_i(start[3]),
      .end_i(end_valid[3]),
      .in_flight_o(in_flight[3])
  );

  assign in_flight[0] = fetch_outstanding;
  assign in_flight[4] = vector_active;

  // Of each unit the fault of the oldest instruction: the next one to dispatch is older than any whose bytes come, and
  // one that ends is older than one whose beat comes.
  always_comb begin
    fetch_first  = static_fault ? dispatch_fault : fetch_fault;
    load_first   = load_fault;
    store_first  = store_fault;
    matrix_first = '0;
    vector_first = '0;
    if (overflow[1]) load_first = {1'b1, tally_pkg::FaultSemaphoreOverflow, load_end.seq};
    if (overflow[2] && !store_fault.valid) store_first = {1'b1, tally_pkg::FaultSemaphoreOverflow, store_end.seq};
    if (overflow[3]) matrix_first = {1'b1, tally_pkg::FaultSemaphoreOverflow, matrix_end.seq};
    if (overflow[4]) vector_first = {1'b1, tally_pkg::FaultSemaphoreOverflow, vector_end.seq};
  end

  logic fault_now;

  tally_faults u_faults (
      .clk_i,
      .rst_ni,
      .running_i(running),
      .cycle_i(cycle_o),
      .fetch_i(fetch_first),
      .load_i(load_first),
      .store_i(store_first),
      .matrix_i(matrix_first),
      .vector_i(vector_first),
      .now_o(fault_now),
      .stop_o(stop),
      .code_o(fault_code),
      .unit_o(fault_unit_o),
      .seq_o(fault_seq_o),
      .cycle_o(fault_cycle_o)
  );

  assign complete = fetch_complete && head_valid == '0;
  assign any_active = in_flight != '0 || start != '0 || push != '0 || raise[0] || fault_now;

  tally_control u_control (
      .clk_i,
      .rst_ni,
      .start_i(begin_run),
      .active_i(any_active),
      .complete_i(complete),
      .faulty_i(fault_code != tally_pkg::FaultNone),
      .running_o(running),
      .end_o(run_ends),
      .done_o,
      .outcome_o(outcome)
  );

  always_comb begin
    events.busy = {vector_busy, matrix_busy, w_valid_o && w_ready_i, load_beat, fetch_beat};
    events.present = {head_valid | in_flight[4:1], !fetch_complete};
    events.started = {start, push != '0};
    events.streamed = streamed;
    events.activation_read = {vector_activation_rd, store_activation_rd, matrix_activation_rd};
    events.activation_write = {vector_activation_wr, load_activation_wr};
    events.weight_read = {vector_weight_rd, store_weight_rd, matrix_weight_rd};
    events.weight_write = {vector_weight_wr, load_weight_wr};
    events.accumulator_read = {vector_accumulator_rd, store_accumulator_rd, matrix_accumulator_rd};
    events.accumulator_write = accumulator_wr;
    events.operation = operation;
    events.operation_code = operation_code;
    events.operation_count = operation_count;
    events.burst = accept;
    events.beat = {w_valid_o && w_ready_i, load_beat, fetch_beat};
  end

  tally_counters #(
      .CellsPerRow(Rows * Columns)
  ) u_counters (
      .clk_i,
      .rst_ni,
      .count_i(running && !run_ends),
      .show_i(done_o),
      .events_i(events),
      .cycle_o,
      .counters_o
  );

  // State and trace -----------------------------------------------------------------------------------------------
  assign running_o = running;
  assign outcome_o = outcome;
  assign fault_code_o = fault_code;
  assign config_hash_o = ConfigHash;
  assign head_valid_o = head_valid;
  assign head_seq_o = {vector_head.seq, matrix_head.seq, store_head.seq, load_head.seq};
  assign start_valid_o = start;
  assign start_seq_o = head_seq_o;
  assign end_valid_o = end_valid;
  assign end_seq_o = {vector_end.seq, matrix_end.seq, store_end.seq, load_end.seq};
  assign load_write_valid_o = load_wr;
  assign vector_write_valid_o = vector_wr;
  assign vector_write_space_o = vector_wr_space;
  assign vector_write_address_o = vector_wr_address;
  assign accumulator_write_valid_o = accumulator_wr;
  assign accumulator_write_row_o = 16'(accumulator_wr_row);
  assign store_beat_valid_o = w_valid_o && w_ready_i;
  assign dispatch_valid_o = push != '0;

  logic unused_pending;
  assign unused_pending = &{1'b0, pending};
endmodule
