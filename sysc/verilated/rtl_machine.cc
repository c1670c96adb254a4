// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/rtl_machine.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <optional>

#include "sysc/verilated/process.h"
#include "sysc/verilated/protocol.h"
#include "sysc/verilated/rtl_build.h"

namespace tally {
namespace {

using rtl::Child;
using rtl::Reply;
using rtl::Request;

// The request and, beside it, the file of the DRAM image.
bool send_request(int socket, Request* request, int file) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec data{request, sizeof *request};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == ssize_t(sizeof *request);
}

bool receive_all(int socket, void* out, std::size_t bytes) {
  char* at = static_cast<char*>(out);
  while (bytes > 0) {
    const ssize_t received = recv(socket, at, bytes, 0);
    if (received <= 0) return false;
    at += received;
    bytes -= std::size_t(received);
  }
  return true;
}

template <class T>
bool receive_list(int socket, std::uint32_t count, std::vector<T>* out) {
  out->resize(count);
  return receive_all(socket, out->data(), count * sizeof(T));
}

std::vector<std::string> bench_arguments(const std::string& bench, const Design& design) {
  return {bench,
          std::to_string(design.rows),
          std::to_string(design.columns),
          std::to_string(design.lanes),
          std::to_string(design.port_bytes),
          std::to_string(design.activations.bytes()),
          std::to_string(design.weights.bytes()),
          std::to_string(design.accumulators.bytes()),
          std::to_string(design.clock_mhz),
          design.dram_kind,
          std::to_string(design.dram_capacity_bytes)};
}

class RtlMachine : public Machine {
 public:
  RtlMachine(const Design& design, RtlOptions options, std::string bench)
      : design_(design), options_(std::move(options)), bench_(std::move(bench)) {}

  std::string_view name() const override { return "rtl"; }

  Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                          DramImage* dram) override {
    if (dram->capacity() != design_.dram_capacity_bytes)
      return fail("the DRAM image has {} bytes, design '{}' has {}", dram->capacity(), design_.name,
                  design_.dram_capacity_bytes);
    Request request;
    if (options.waveform.size() >= sizeof request.waveform)
      return fail("{}: the name is too long", options.waveform);
    request.dram_bytes = std::uint64_t(dram->capacity());
    request.program = program;
    request.stall_seed = options.stall_seed;
    request.cycle_limit = options.cycle_limit;
    request.waveform_from = options.waveform_from;
    request.waveform_to = options.waveform_to;
    request.records = options.records;
    request.hashes = options.hashes;
    std::memcpy(request.waveform, options.waveform.c_str(), options.waveform.size());
    TALLY_ASSIGN(std::optional<Child> * child, child_for(!options.waveform.empty()));
    return exchange(&request, child, dram);
  }

 private:
  Expected<std::optional<Child>*> child_for(bool waveform) {
    std::optional<Child>* child = waveform ? &waveform_child_ : &child_;
    if (*child) return child;
    std::string bench = bench_;
    if (waveform) {
      TALLY_ASSIGN(bench, rtl::build_bench(design_, options_, true));
    }
    TALLY_ASSIGN(*child, Child::start(bench_arguments(bench, design_)));
    return child;
  }

  Expected<RunResult> exchange(Request* request, std::optional<Child>* child, DramImage* dram) {
    Reply reply;
    RunResult result;
    const int socket = (*child)->socket();
    if (!send_request(socket, request, dram->file()) ||
        !receive_all(socket, &reply, sizeof reply) || reply.magic != rtl::kMagic ||
        !receive_list(socket, reply.waiting, &result.waiting) ||
        !receive_list(socket, reply.records, &result.records)) {
      const std::string obituary = (*child)->obituary();
      child->reset();
      return fail("the Verilated model of design '{}' {}", design_.name, obituary);
    }
    if (reply.error[0] != 0)
      return fail("the Verilated model of design '{}': {}", design_.name, reply.error);
    result.outcome = reply.outcome;
    result.fault = reply.fault;
    result.cycles = reply.cycles;
    result.units = reply.units;
    result.events = reply.events;
    result.dram = reply.dram;
    return result;
  }

  Design design_;
  RtlOptions options_;
  std::string bench_;
  std::optional<Child> child_, waveform_child_;
};

}  // namespace

Expected<std::unique_ptr<Machine>> make_rtl_machine(const Design& design,
                                                    const RtlOptions& options) {
  TALLY_ASSIGN(std::string bench, rtl::build_bench(design, options, false));
  return std::make_unique<RtlMachine>(design, options, std::move(bench));
}

}  // namespace tally
