// SPDX-License-Identifier: Apache-2.0
// A file mapped read-only into memory for as long as someone holds it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "models/base/error.h"

namespace tally::io {

class MappedFile {
 public:
  // An error where the path is not a readable regular file; it names the path.
  static Expected<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  MappedFile(std::string path, std::span<const std::byte> bytes)
      : path_(std::move(path)), bytes_(bytes) {}

  std::string path_;
  std::span<const std::byte> bytes_;
};

}  // namespace tally::io
