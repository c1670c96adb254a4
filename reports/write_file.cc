// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "reports/result_json.h"

namespace tally {

Status write_file(const std::string& path, std::string_view content) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path target(path);
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  if (fs::is_directory(target, error)) return fail("{}: cannot be written (a folder)", path);
  const std::string partial = fmt::format("{}.partial-{}", path, getpid());
  std::ofstream file(partial, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file) fs::rename(partial, target, error);
  if (!file || error) {
    fs::remove(partial, error);
    return fail("{}: cannot be written", path);
  }
  return {};
}

}  // namespace tally
