// SPDX-License-Identifier: Apache-2.0
// Where the results under way in the lanes' pipelines will be written: Latency - 1 stages beside the
// data, the same for all lanes but for the mask of those that take part.
module tally_vector_pipe #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Latency = 4
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  tally_vector_pkg::write_t write_i,  // of the step issued in this cycle
  input  logic [Lanes-1:0]         mask_i,
  output logic                     advance_o,  // something is in the pipeline, or enters it
  output tally_vector_pkg::write_t write_o,  // of the result at the end of the pipeline
  output logic [Lanes-1:0]         mask_o
);

  localparam int unsigned WriteBits = tally_vector_pkg::WriteBits;

  if (Latency == 1) begin : gen_direct
    logic unused;
    assign unused = &{clk_i, rst_ni};
    assign advance_o = write_i.valid;
    assign write_o = write_i;
    assign mask_o = mask_i;
  end else begin : gen_stages
    // Newest stage lowest.
    logic [Latency-2:0] valid_q;
    logic [(Latency-1)*WriteBits-1:0] writes_q;
    logic [(Latency-1)*Lanes-1:0] masks_q;

    assign advance_o = write_i.valid || valid_q != 0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= '0;
      else if (advance_o) valid_q <= (Latency - 1)'({valid_q, write_i.valid});
    end

    always_ff @(posedge clk_i) begin
      if (advance_o) begin
        writes_q <= ((Latency - 1) * WriteBits)'({writes_q, write_i});
        masks_q <= ((Latency - 1) * Lanes)'({masks_q, mask_i});
      end
    end

    always_comb begin
      write_o = writes_q[(Latency-1)*WriteBits-1-:WriteBits];
      write_o.valid = valid_q[Latency-2];
    end
    assign mask_o = masks_q[(Latency-1)*Lanes-1-:Lanes];
  end

endmodule
