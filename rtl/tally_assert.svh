// SPDX-License-Identifier: Apache-2.0
// Assertions: on in every simulation, absent in synthesis.
//
// `TALLY_ASSERT(Name, property)     holds at every clock edge outside reset
// `TALLY_ASSERT_INIT(Name, constant, "message")   holds of the parameters
`ifndef TALLY_ASSERT_SVH
`define TALLY_ASSERT_SVH

`ifdef SYNTHESIS
`define TALLY_ASSERT(name_, property_)
`define TALLY_ASSERT_INIT(name_, condition_, message_)
`else
`define TALLY_ASSERT(name_, property_) \
  name_ : assert property (@(posedge clk_i) disable iff (!rst_ni) (property_)) \
          else $error("%m: assertion failed");
`define TALLY_ASSERT_INIT(name_, condition_, message_) \
  if (!(condition_)) begin : name_ \
    $error(message_); \
  end
`endif

// A value that is offered stays as it is until it is taken.
`define TALLY_ASSERT_STABLE(name_, valid_, ready_, data_) \
  `TALLY_ASSERT(name_``Valid, (valid_) && !(ready_) |=> (valid_)) \
  `TALLY_ASSERT(name_``Data, (valid_) && !(ready_) |=> $stable(data_))

`endif
