// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/bench/top.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "sysc/verilated/bench/link.h"

namespace tally::rtl {

Top::Top(sc_core::sc_module_name name, const Design& design) : sc_module(name), bench_(design) {
  SC_THREAD(serve);
}

void Top::serve() {
  Request request;
  int file = -1;
  while (receive_request(&request, &file)) {
    run(request, file);
    close(file);
    if (!send_reply(bench_.reply(), bench_.waiting(), bench_.records())) break;
  }
  sc_core::sc_stop();
}

void Top::run(const Request& request, int file) {
  void* dram = mmap(nullptr, request.dram_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (dram == MAP_FAILED) {
    std::strcpy(bench_.reply()->error, "the DRAM image cannot be mapped");
    return;
  }
  bench_.begin(request, static_cast<std::uint8_t*>(dram));
  const sc_core::sc_time period(1, sc_core::SC_NS);
  while (bench_.step()) wait(period);
  munmap(dram, request.dram_bytes);
}

}  // namespace tally::rtl
