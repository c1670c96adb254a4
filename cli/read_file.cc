// SPDX-License-Identifier: Apache-2.0
#include "cli/read_file.h"

#include <fstream>
#include <sstream>

namespace tally::cli {

Expected<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (file) text << file.rdbuf();
  // An empty file sets the stream's failbit too.
  if (!file.is_open() || file.bad() || text.bad()) return fail("{}: cannot be read", path);
  return text.str();
}

}  // namespace tally::cli
