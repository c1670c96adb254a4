// SPDX-License-Identifier: Apache-2.0
// The eight stream registers. `stream` sets one; a run adds its increments to all starts in the cycle
// in which it ends.
module tally_vector_streams (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   write_i,      // a stream instruction starts
  input  logic                   start_i,      // a run starts
  input  logic [255:0]           word_i,       // of either
  input  logic                   increment_i,  // the run ends
  input  logic [2:0]             select_i,
  output tally_isa_pkg::stream_t stream_o
);

  logic [7:0][23:0] starts_q, starts_d;
  logic [7:0][64:0] shapes_q, shapes_d;  // strides, element type and space
  tally_isa_pkg::stream_t written;
  logic [7:0][17:0] increments_q, increments;

  always_comb begin
    written = '0;
    if (write_i) written = word_i[tally_isa_pkg::StreamPayloadEnd-1:tally_isa_pkg::PayloadLsb];
  end

  // The run's increments are its last fields, stream 0 lowest.
  assign increments = word_i[tally_isa_pkg::RunPayloadEnd-1-:8*18];

  always_comb begin
    starts_d = '0;
    shapes_d = '0;
    if (write_i || increment_i) begin
      starts_d = starts_q;
      shapes_d = shapes_q;
    end
    if (write_i) begin
      starts_d[written.stream] = written.start;
      shapes_d[written.stream] = {written.stride2, written.stride1, written.stride0,
                                  written.element, written.space};
    end else if (increment_i) begin
      for (int unsigned i = 0; i < 8; i++) begin
        starts_d[i] = starts_q[i] + {{6{increments_q[i][17]}}, increments_q[i]};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      starts_q <= '0;
      shapes_q <= '0;
    end else if (write_i || increment_i) begin
      starts_q <= starts_d;
      shapes_q <= shapes_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) increments_q <= increments;
  end

  always_comb begin
    stream_o.stream = select_i;
    stream_o.start = starts_q[select_i];
    {stream_o.stride2, stream_o.stride1, stream_o.stride0, stream_o.element, stream_o.space} =
        shapes_q[select_i];
  end

  logic unused;
  assign unused = &{word_i[111:0]};

endmodule
