// SPDX-License-Identifier: Apache-2.0
// Counts cycles, unit states and events while count_i; counters_o is zero until show_i.
module tally_counters #(
    parameter int unsigned CellsPerRow = 256  // multiplications of one streamed row
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 count_i,
    input  logic                 show_i,
    input  tally_pkg::events_t   events_i,
    output logic [47:0]          cycle_o,
    output tally_pkg::counters_t counters_o
);
  logic [47:0] cycle_q, multiplications_q;
  logic [47:0] busy_q[5], stalled_q[5], idle_q[5], instructions_q[5];
  logic [47:0] bursts_q[3], beats_q[3];
  logic [47:0] activation_reads_q, activation_writes_q, weight_reads_q, weight_writes_q;
  logic [47:0] accumulator_reads_q, accumulator_writes_q;
  logic [47:0] operations_q[32];

  assign cycle_o = cycle_q;

  for (genvar u = 0; u < 5; u++) begin : gen_unit
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        busy_q[u] <= '0;
        stalled_q[u] <= '0;
        idle_q[u] <= '0;
        instructions_q[u] <= '0;
      end else if (count_i) begin
        if (events_i.busy[u]) busy_q[u] <= busy_q[u] + 1'b1;
        else if (events_i.present[u]) stalled_q[u] <= stalled_q[u] + 1'b1;
        else idle_q[u] <= idle_q[u] + 1'b1;
        if (events_i.started[u]) instructions_q[u] <= instructions_q[u] + 1'b1;
      end
    end
  end

  for (genvar p = 0; p < 3; p++) begin : gen_port
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bursts_q[p] <= '0;
        beats_q[p]  <= '0;
      end else if (count_i) begin
        if (events_i.burst[p]) bursts_q[p] <= bursts_q[p] + 1'b1;
        if (events_i.beat[p]) beats_q[p] <= beats_q[p] + 1'b1;
      end
    end
  end

  function automatic logic [47:0] reads(input logic [2:0] read);
    reads = 48'(read[0]) + 48'(read[1]) + 48'(read[2]);
  endfunction

  function automatic logic [47:0] writes(input logic [1:0] write);
    writes = 48'(write[0]) + 48'(write[1]);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      multiplications_q <= '0;
      activation_reads_q <= '0;
      activation_writes_q <= '0;
      weight_reads_q <= '0;
      weight_writes_q <= '0;
      accumulator_reads_q <= '0;
      accumulator_writes_q <= '0;
    end else if (count_i) begin
      cycle_q <= cycle_q + 1'b1;
      if (events_i.streamed) multiplications_q <= multiplications_q + 48'(CellsPerRow);
      activation_reads_q <= activation_reads_q + reads(events_i.activation_read);
      activation_writes_q <= activation_writes_q + writes(events_i.activation_write);
      weight_reads_q <= weight_reads_q + reads(events_i.weight_read);
      weight_writes_q <= weight_writes_q + writes(events_i.weight_write);
      accumulator_reads_q <= accumulator_reads_q + reads(events_i.accumulator_read);
      accumulator_writes_q <= accumulator_writes_q + 48'(events_i.accumulator_write);
    end
  end

  for (genvar i = 0; i < 32; i++) begin : gen_operation
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) operations_q[i] <= '0;
      else if (count_i && events_i.operation && events_i.operation_code == 6'(i)) begin
        operations_q[i] <= operations_q[i] + 48'(events_i.operation_count);
      end
    end
  end

  always_comb begin
    counters_o = '0;
    if (show_i) begin
      counters_o.cycles = cycle_q;
      counters_o.multiplications = multiplications_q;
      counters_o.activation_reads = activation_reads_q;
      counters_o.activation_writes = activation_writes_q;
      counters_o.weight_reads = weight_reads_q;
      counters_o.weight_writes = weight_writes_q;
      counters_o.accumulator_reads = accumulator_reads_q;
      counters_o.accumulator_writes = accumulator_writes_q;
      for (int unsigned u = 0; u < 5; u++) begin
        counters_o.busy[u] = busy_q[u];
        counters_o.stalled[u] = stalled_q[u];
        counters_o.idle[u] = idle_q[u];
        counters_o.instructions[u] = instructions_q[u];
      end
      for (int unsigned p = 0; p < 3; p++) begin
        counters_o.bursts[p] = bursts_q[p];
        counters_o.beats[p]  = beats_q[p];
      end
      for (int unsigned i = 0; i < 32; i++) counters_o.vector_operations[i] = operations_q[i];
    end
  end
endmodule
