// SPDX-License-Identifier: Apache-2.0
#include "sysc/arbiter.h"

#include <algorithm>

namespace tally::sysc {

void Arbiter::raise(Client client, std::uint64_t address, int bytes, Cycle cycle) {
  Request& request = requests_[std::size_t(client)];
  TALLY_CHECK(!request.raised, "a second request of one client");
  request.raised = true;
  request.since = cycle;
  request.address = address;
  request.bytes = bytes;
  log_.active(cycle);
  wake(cycle + 1);
}

void Arbiter::accept(int index, Cycle now) {
  Request& request = requests_[std::size_t(index)];
  request.raised = false;
  const Dram::Service service =
      dram_.accept(now, Client(index) == Client::kStore, request.address, request.bytes);
  ++log_.events.bursts[std::size_t(index)];
  log_.events.beats[std::size_t(index)] += std::uint64_t(request.bytes / port_bytes_);
  log_.active(service.beats.back());
  request.client->accepted(now, service);
}

void Arbiter::step(Cycle now) {
  bool taken = false;
  for (int index = 0; index < kClients; ++index) {
    const Request& request = requests_[std::size_t(index)];
    if (!request.raised) continue;
    if (!taken && request.since < now) {
      taken = true;
      accept(index, now);
    } else {
      wake(std::max(now, request.since) + 1);
    }
  }
}

}  // namespace tally::sysc
