// SPDX-License-Identifier: Apache-2.0
// A folder that lives as long as the object, and files written into it byte by byte.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally::test {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tally-XXXXXX").string();
    TALLY_CHECK(mkdtemp(pattern.data()) != nullptr, "no temporary folder");
    path_ = pattern;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }

  std::string write_gz(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
    gzFile out = gzopen(file(name).c_str(), "wb");
    const int written = gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
    TALLY_CHECK(gzclose(out) == Z_OK && written == static_cast<int>(bytes.size()));
    return file(name);
  }

 private:
  std::string path_;
};

}  // namespace tally::test
