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
  output logic [7:0]               stage_valid_o,
  output tally_vector_pkg::write_t write_o,  // of the result at the end of the pipeline
  output logic [Lanes-1:0]         mask_o
);

  if (Latency == 1) begin : gen_direct
    logic unused;
    assign unused = &{clk_i, rst_ni};
    assign stage_valid_o = '0;
    assign write_o = write_i;
    assign mask_o = mask_i;
  end else begin : gen_stages
    logic [Latency-2:0] valid_q;
    tally_vector_pkg::write_t stages_q[Latency-1];
    logic [Lanes-1:0] masks_q[Latency-1];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= '0;
      else valid_q <= (Latency - 1)'({valid_q, write_i.valid});
    end

    always_ff @(posedge clk_i) begin
      if (write_i.valid) begin
        stages_q[0] <= write_i;
        masks_q[0] <= mask_i;
      end
      for (int unsigned i = 1; i < Latency - 1; i++) begin
        if (valid_q[i-1]) begin
          stages_q[i] <= stages_q[i-1];
          masks_q[i] <= masks_q[i-1];
        end
      end
    end

    assign stage_valid_o = 8'(valid_q);
    assign mask_o = masks_q[Latency-2];
    always_comb begin
      write_o = stages_q[Latency-2];
      write_o.valid = valid_q[Latency-2];
    end
  end

endmodule
