// SPDX-License-Identifier: Apache-2.0
// The port: accepts one request a cycle, fetch before load before store, among those raised before
// the cycle, and hands back the times that the memory fixed.
#pragma once

#include <array>

#include "models/dram/dram.h"
#include "sysc/block.h"
#include "sysc/run_log.h"

namespace tally::sysc {

enum class Client : std::uint8_t { kFetch, kLoad, kStore };
inline constexpr int kClients = 3;

// Who raised a request. Called in the arbitration phase of the accepting cycle.
class PortClient {
 public:
  virtual ~PortClient() = default;
  virtual void accepted(Cycle now, const Dram::Service& service) = 0;
};

class Arbiter : public Block {
 public:
  Arbiter(Dram* dram, int port_bytes, RunLog* log)
      : Block("arbiter", Phase::kArbitrate), dram_(*dram), port_bytes_(port_bytes), log_(*log) {}

  void connect(Client client, PortClient* port_client) {
    requests_[std::size_t(client)].client = port_client;
  }
  // Raises a request in `cycle`, which may lie ahead if nothing that happens until then can change
  // that; the client has none waiting.
  void raise(Client client, std::uint64_t address, int bytes, Cycle cycle);

 protected:
  void step(Cycle now) override;

 private:
  struct Request {
    PortClient* client = nullptr;
    bool raised = false;
    Cycle since = 0;
    std::uint64_t address = 0;
    int bytes = 0;
  };
  void accept(int index, Cycle now);

  Dram& dram_;
  int port_bytes_;
  RunLog& log_;
  std::array<Request, kClients> requests_;
};

}  // namespace tally::sysc
