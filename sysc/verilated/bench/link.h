// SPDX-License-Identifier: Apache-2.0
// The bench's end of the socket to the host.
#pragma once

#include <vector>

#include "sysc/verilated/protocol.h"

namespace tally::rtl {

// False when the host has gone. `file` is the DRAM image, to be closed by the caller.
bool receive_request(Request* request, int* file);
// Fills in the two counts.
bool send_reply(Reply* reply, const std::vector<Waiting>& waiting,
                const std::vector<Record>& records);

}  // namespace tally::rtl
