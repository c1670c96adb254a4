// SPDX-License-Identifier: Apache-2.0
// Which unit an instruction goes to, and the static fault that its bits alone show: opcode, field, then range.
//
// The fault of a semaphore with two waiters needs the program so far and is found by tally_dispatch.
module tally_decoder #(
    parameter int unsigned Rows = 16,
    parameter int unsigned Columns = 16,
    parameter int unsigned ActivationBytes = 262144,
    parameter int unsigned WeightBytes = 262144,
    parameter int unsigned AccumulatorBytes = 65536,
    parameter int unsigned PortBytes = 16
) (
    input  logic              valid_i,
    input  logic [255:0]      word_i,
    output logic [4:1]        unit_o,  // one bit: load, store, matrix, vector
    output logic [31:0]       waits_o,
    output tally_pkg::fault_e fault_o
);
  localparam int unsigned AccumulatorRows = AccumulatorBytes / (4 * Columns);
  localparam int unsigned PortMask = PortBytes - 1;

  tally_isa_pkg::load_t load;
  tally_isa_pkg::gather_t gather;
  tally_isa_pkg::store_t store;
  tally_isa_pkg::matmul_t matmul;
  tally_isa_pkg::stream_t stream;
  tally_isa_pkg::routine_t routine;
  tally_isa_pkg::run_t run;

  assign load = tally_isa_pkg::decode_load(word_i);
  assign gather = tally_isa_pkg::decode_gather(word_i);
  assign store = tally_isa_pkg::decode_store(word_i);
  assign matmul = tally_isa_pkg::decode_matmul(word_i);
  assign stream = tally_isa_pkg::decode_stream(word_i);
  assign routine = tally_isa_pkg::decode_routine(word_i);
  assign run = tally_isa_pkg::decode_run(word_i);

  logic waits_error, posts_error;
  logic [31:0] unused_posts;
  logic [2:0] step_valid;

  tally_slots u_waits (
      .slots_i(word_i[tally_isa_pkg::WaitLsb+:18]),
      .mask_o(waits_o),
      .error_o(waits_error)
  );
  tally_slots u_posts (
      .slots_i(word_i[tally_isa_pkg::PostLsb+:18]),
      .mask_o(unused_posts),
      .error_o(posts_error)
  );
  tally_step_check u_step0 (
      .step_i(routine.step0),
      .valid_o(step_valid[0])
  );
  tally_step_check u_step1 (
      .step_i(routine.step1),
      .valid_o(step_valid[1])
  );
  tally_step_check u_step2 (
      .step_i(routine.step2),
      .valid_o(step_valid[2])
  );

  // On-chip bytes of a space; a space that does not exist is a field fault before this is looked at.
  function automatic logic beyond(input logic [1:0] space, input logic [25:0] address);
    unique case (space)
      tally_isa_pkg::SpaceActivations: beyond = 32'(address) >= ActivationBytes;
      tally_isa_pkg::SpaceWeights: beyond = 32'(address) >= WeightBytes;
      default: beyond = 32'(address) >= AccumulatorBytes;
    endcase
  endfunction

  // A length, pitch or address that is not a multiple of the port width.
  function automatic logic odd(input logic [35:0] bytes);
    odd = (bytes & 36'(PortMask)) != '0;
  endfunction

  function automatic logic odd_for(input logic [23:0] bytes, input int unsigned unit);
    odd_for = (bytes & 24'(unit - 1)) != '0;
  endfunction

  function automatic logic bad_space(input logic [1:0] space);
    bad_space = space > tally_isa_pkg::SpaceAccumulators;
  endfunction

  logic field_fault, range_fault, known;
  logic [4:1] unit;
  logic [25:0] stream_bytes;

  assign stream_bytes = (stream.element == tally_isa_pkg::ElementI8 || stream.element == tally_isa_pkg::ElementU8)
      ? 26'(stream.start) : {stream.start, 2'b00};

  always_comb begin
    unit = '0;
    field_fault = 1'b0;
    range_fault = 1'b0;
    known = 1'b1;
    if (valid_i) begin
      unique case (word_i[7:0])
        tally_isa_pkg::OpLoad: begin
          unit[tally_isa_pkg::UnitLoad] = 1'b1;
          field_fault = word_i[255:tally_isa_pkg::LoadPayloadEnd] != '0 || bad_space(load.space);
          range_fault = load.rows == '0 || load.row_bytes == '0 || odd(load.offset) || odd(36'(load.pitch))
              || odd(36'(load.row_bytes)) || odd(36'(load.address)) || odd(36'(load.address_pitch))
              || (load.rows != 16'd1 && load.address_pitch < load.row_bytes)
              || load.space == tally_isa_pkg::SpaceAccumulators || beyond(load.space, 26'(load.address));
        end
        tally_isa_pkg::OpGather: begin
          unit[tally_isa_pkg::UnitLoad] = 1'b1;
          field_fault = word_i[255:tally_isa_pkg::GatherPayloadEnd] != '0 || bad_space(gather.space);
          range_fault = gather.rows == '0 || 32'(gather.rows) > tally_isa_pkg::GatherRowsMax
              || gather.row_bytes == '0 || gather.limit == '0 || odd(gather.offset) || odd(36'(gather.pitch))
              || odd(36'(gather.row_bytes)) || odd(36'(gather.address)) || odd(36'(gather.address_pitch))
              || odd(gather.index_offset) || (gather.rows != 7'd1 && gather.address_pitch < gather.row_bytes)
              || gather.space == tally_isa_pkg::SpaceAccumulators || beyond(gather.space, 26'(gather.address));
        end
        tally_isa_pkg::OpStore: begin
          unit[tally_isa_pkg::UnitStore] = 1'b1;
          field_fault = word_i[255:tally_isa_pkg::StorePayloadEnd] != '0 || bad_space(store.space);
          range_fault = store.rows == '0 || store.row_bytes == '0 || odd(store.offset) || odd(36'(store.pitch))
              || odd(36'(store.row_bytes)) || odd(36'(store.address)) || odd(36'(store.address_pitch))
              || (store.rows != 16'd1 && store.pitch < 24'(store.row_bytes))
              || beyond(store.space, 26'(store.address));
        end
        tally_isa_pkg::OpMatmul: begin
          unit[tally_isa_pkg::UnitMatrix] = 1'b1;
          field_fault = word_i[255:tally_isa_pkg::MatmulPayloadEnd] != '0 || matmul.mode > tally_isa_pkg::ModeAdd;
          range_fault = matmul.m == '0 || matmul.k == '0 || matmul.n == '0
              || odd_for(matmul.a_address, Rows) || odd_for(24'(matmul.a_pitch), Rows)
              || odd_for(matmul.w_address, matmul.transposed ? Rows : Columns)
              || odd_for(24'(matmul.w_pitch), matmul.transposed ? Rows : Columns)
              || beyond(tally_isa_pkg::SpaceActivations, 26'(matmul.a_address))
              || beyond(tally_isa_pkg::SpaceWeights, 26'(matmul.w_address))
              || 32'(matmul.acc_row) >= AccumulatorRows;
        end
        tally_isa_pkg::OpStream: begin
          unit[tally_isa_pkg::UnitVector] = 1'b1;
          field_fault = word_i[255:tally_isa_pkg::StreamPayloadEnd] != '0 || bad_space(stream.space)
              || stream.element > tally_isa_pkg::ElementU8;
          range_fault = beyond(stream.space, stream_bytes);
        end
        tally_isa_pkg::OpRoutine: begin
          unit[tally_isa_pkg::UnitVector] = 1'b1;
          field_fault = word_i[255:tally_isa_pkg::RoutinePayloadEnd] != '0
              || (routine.count > 2'd0 ? !step_valid[0] : routine.step0 != '0)
              || (routine.count > 2'd1 ? !step_valid[1] : routine.step1 != '0)
              || (routine.count > 2'd2 ? !step_valid[2] : routine.step2 != '0);
          range_fault = routine.count == 2'd0
              || 32'(routine.first) + 32'(routine.count) > tally_isa_pkg::RoutineSteps;
        end
        tally_isa_pkg::OpRun: begin
          unit[tally_isa_pkg::UnitVector] = 1'b1;
          range_fault = run.extent0 == '0 || run.extent1 == '0 || run.extent2 == '0 || run.last < run.first;
        end
        default: known = 1'b0;
      endcase
      if (waits_error || posts_error || word_i[tally_isa_pkg::PayloadLsb-1:tally_isa_pkg::PostLsb+18] != '0) begin
        field_fault = 1'b1;
      end
    end
  end

  assign unit_o = unit;
  assign fault_o = !known ? tally_pkg::FaultOpcode
                 : field_fault ? tally_pkg::FaultField
                 : range_fault ? tally_pkg::FaultRange : tally_pkg::FaultNone;

  logic unused_fields;
  assign unused_fields = &{1'b0, load, gather, store, matmul, stream, routine, run};
endmodule
