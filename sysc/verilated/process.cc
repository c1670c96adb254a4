// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace tally::rtl {
namespace {

constexpr int kCannotStart = 127;

std::vector<char*> pointers(const std::vector<std::string>& arguments) {
  std::vector<char*> out;
  for (const std::string& argument : arguments) out.push_back(const_cast<char*>(argument.c_str()));
  out.push_back(nullptr);
  return out;
}

std::string read_whole(int file) {
  std::string text;
  char buffer[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t size; (size = read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, std::size_t(size));
  return text;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// In the child, between fork and exec: output to `output`, `socket` (if any) to descriptor 3.
[[noreturn]] void become(char* const* arguments, const char* directory, int output, int socket) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(output, 1);
  dup2(output, 2);
  if (socket >= 0) {
    if (socket == 3)
      fcntl(3, F_SETFD, 0);
    else
      dup2(socket, 3);
  }
  if (directory[0] != 0 && chdir(directory) != 0) _exit(kCannotStart);
  execvp(arguments[0], arguments);
  _exit(kCannotStart);
}

}  // namespace

Expected<CommandResult> run_command(const std::vector<std::string>& arguments,
                                    const std::string& directory) {
  const int output = memfd_create("tally-output", MFD_CLOEXEC);
  const auto argv = pointers(arguments);
  const pid_t pid = fork();
  if (pid == 0) become(argv.data(), directory.c_str(), output, -1);
  if (pid < 0) {
    close(output);
    return fail("{}: cannot be started", arguments[0]);
  }
  CommandResult result{.status = wait_for(pid), .output = read_whole(output)};
  close(output);
  if (result.status == kCannotStart && result.output.empty())
    return fail("{}: cannot be started (not installed?)", arguments[0]);
  return result;
}

std::string last_lines(const std::string& text, int lines) {
  std::size_t at = text.find_last_not_of('\n');
  if (at == std::string::npos) return "";
  const std::size_t end = at + 1;
  while (lines-- > 0 && at != std::string::npos && at > 0) {
    at = text.rfind('\n', at);
    if (at == std::string::npos || at == 0) break;
    if (lines > 0) --at;
  }
  const std::size_t begin = at == std::string::npos ? 0 : at + 1;
  return text.substr(begin, end - begin);
}

Expected<Child> Child::start(const std::vector<std::string>& arguments) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail("{}: no socket for it", arguments[0]);
  Child child;
  child.output_ = memfd_create("tally-output", MFD_CLOEXEC);
  child.socket_ = ends[0];
  const auto argv = pointers(arguments);
  child.pid_ = fork();
  if (child.pid_ == 0) become(argv.data(), "", child.output_, ends[1]);
  close(ends[1]);
  if (child.pid_ < 0) return fail("{}: cannot be started", arguments[0]);
  return child;
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      output_(std::exchange(other.output_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(socket_, other.socket_);
  std::swap(output_, other.output_);
  return *this;
}

Child::~Child() {
  finish();
  if (output_ >= 0) close(output_);
}

void Child::finish() {
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  if (pid_ > 0) wait_for(std::exchange(pid_, -1));
}

std::string Child::obituary() {
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  const int status = pid_ > 0 ? wait_for(std::exchange(pid_, -1)) : 0;
  const std::string how = status > 128 ? fmt::format("was ended by signal {}", status - 128)
                                       : fmt::format("ended with status {}", status);
  const std::string said = last_lines(read_whole(output_), 6);
  return said.empty() ? how : how + ": " + said;
}

}  // namespace tally::rtl
