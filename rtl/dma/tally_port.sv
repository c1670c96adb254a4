// SPDX-License-Identifier: Apache-2.0
// The address side of the AXI4 port: one request register for each of fetch, load and store, one address a cycle.
//
// A request raised in t (raise and ready) takes part in the arbitration of t + 1; fixed priority fetch, load, store. A
// unit may raise its next request in the cycle in which the one before is accepted.
module tally_port #(
    parameter int unsigned PortBytes = 16
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    // Requests of fetch (0), load (1), store (2)
    input  logic [2:0]        raise_i,
    input  tally_pkg::burst_t fetch_burst_i,
    input  tally_pkg::burst_t load_burst_i,
    input  tally_pkg::burst_t store_burst_i,
    output logic [2:0]        ready_o,
    output logic [2:0]        pending_o,
    output logic [2:0]        accept_o,
    // AXI4 addresses
    output logic              ar_valid_o,
    input  logic              ar_ready_i,
    output logic              ar_id_o,
    output logic [39:0]       ar_addr_o,
    output logic [7:0]        ar_len_o,
    output logic [2:0]        ar_size_o,
    output logic [1:0]        ar_burst_o,
    output logic              aw_valid_o,
    input  logic              aw_ready_i,
    output logic [39:0]       aw_addr_o,
    output logic [7:0]        aw_len_o,
    output logic [2:0]        aw_size_o,
    output logic [1:0]        aw_burst_o
);
  localparam logic [1:0] Incrementing = 2'b01;

  tally_pkg::burst_t fetch_burst, load_burst, store_burst;
  logic [2:0] grant;

  tally_register #(
      .Bits($bits(fetch_burst_i))
  ) u_fetch (
      .clk_i,
      .rst_ni,
      .valid_i(raise_i[0]),
      .data_i(fetch_burst_i),
      .ready_o(ready_o[0]),
      .valid_o(pending_o[0]),
      .data_o(fetch_burst),
      .ready_i(accept_o[0])
  );

  tally_register #(
      .Bits($bits(fetch_burst_i))
  ) u_load (
      .clk_i,
      .rst_ni,
      .valid_i(raise_i[1]),
      .data_i(load_burst_i),
      .ready_o(ready_o[1]),
      .valid_o(pending_o[1]),
      .data_o(load_burst),
      .ready_i(accept_o[1])
  );

  tally_register #(
      .Bits($bits(fetch_burst_i))
  ) u_store (
      .clk_i,
      .rst_ni,
      .valid_i(raise_i[2]),
      .data_i(store_burst_i),
      .ready_o(ready_o[2]),
      .valid_o(pending_o[2]),
      .data_o(store_burst),
      .ready_i(accept_o[2])
  );

  tally_arbiter #(
      .Requesters(3)
  ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(pending_o),
      .grant_o(grant),
      .accept_i(accept_o != '0)
  );

  assign accept_o = grant & {aw_ready_i, ar_ready_i, ar_ready_i};

  assign ar_valid_o = grant[0] || grant[1];
  assign ar_id_o = grant[1];
  assign ar_addr_o = grant[1] ? load_burst.addr : fetch_burst.addr;
  assign ar_len_o = grant[1] ? load_burst.len : fetch_burst.len;
  assign ar_size_o = 3'($clog2(PortBytes));
  assign ar_burst_o = Incrementing;
  assign aw_valid_o = grant[2];
  assign aw_addr_o = store_burst.addr;
  assign aw_len_o = store_burst.len;
  assign aw_size_o = 3'($clog2(PortBytes));
  assign aw_burst_o = Incrementing;
endmodule
