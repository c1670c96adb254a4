// SPDX-License-Identifier: Apache-2.0
// Running other programs: to their end with their output, or as a child behind a socket.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally::rtl {

struct CommandResult {
  int status = 0;      // exit status; 128 + signal if one ended it
  std::string output;  // standard output and error together
};

// Fails only if the program cannot be started at all (found by PATH).
Expected<CommandResult> run_command(const std::vector<std::string>& arguments,
                                    const std::string& directory = "");

// The last `lines` lines of a text.
std::string last_lines(const std::string& text, int lines);

// A child whose file descriptor 3 is the other end of `socket`. What it prints is kept.
class Child {
 public:
  static Expected<Child> start(const std::vector<std::string>& arguments);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // closes the socket, which ends the child, and waits for it

  int socket() const { return socket_; }
  // Waits for a child that has closed its end; how it ended and the last it printed.
  std::string obituary();

 private:
  Child() = default;
  void finish();

  pid_t pid_ = -1;
  int socket_ = -1;
  int output_ = -1;  // memory file
};

}  // namespace tally::rtl
