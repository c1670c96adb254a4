// SPDX-License-Identifier: Apache-2.0
// Runs a shell command and keeps what it printed, for tests of programs from outside.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tally::testing {

struct Ran {
  int status;  // exit status; 128 + signal
  std::string out, err;
};

inline std::string file_text(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// A folder of its own that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tally-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// The command's output is kept in `scratch`.
inline Ran run_shell(const std::string& command, const TemporaryFolder& scratch) {
  const std::string out = scratch / "stdout", err = scratch / "stderr";
  const int status = std::system(("{ " + command + "\n} >" + out + " 2>" + err).c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, file_text(out), file_text(err)};
}

}  // namespace tally::testing
