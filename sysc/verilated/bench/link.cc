// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/bench/link.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace tally::rtl {
namespace {

bool send_all(const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(kSocket, at, bytes, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += sent;
    bytes -= std::size_t(sent);
  }
  return true;
}

}  // namespace

bool receive_request(Request* request, int* file) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec data{request, sizeof *request};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = recvmsg(kSocket, &message, MSG_WAITALL);
  if (received != ssize_t(sizeof *request) || request->magic != kMagic) return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return false;
  std::memcpy(file, CMSG_DATA(header), sizeof *file);
  return true;
}

bool send_reply(Reply* reply, const std::vector<Waiting>& waiting,
                const std::vector<Record>& records) {
  reply->waiting = std::uint32_t(waiting.size());
  reply->records = std::uint32_t(records.size());
  return send_all(reply, sizeof *reply) &&
         send_all(waiting.data(), waiting.size() * sizeof(Waiting)) &&
         send_all(records.data(), records.size() * sizeof(Record));
}

}  // namespace tally::rtl
