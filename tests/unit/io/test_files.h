// SPDX-License-Identifier: Apache-2.0
// Files for tests: a temporary folder, and safetensors written byte by byte, independent of the
// reader.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tally::testing_files {

// A folder of its own, removed at the end.
class TempFolder {
 public:
  TempFolder() {
    static int count = 0;
    std::string name = "tally-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    path_ = std::filesystem::path(::testing::TempDir()) / name;
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return file(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
  }

 private:
  std::filesystem::path path_;
};

// Header length, header, data.
inline std::string safetensors_bytes(const std::string& header, const std::string& data) {
  std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

struct TestTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

// F32 tensors in the order of the map; `metadata` is a JSON object or empty.
inline std::string safetensors_of(const std::map<std::string, TestTensor>& tensors,
                                  const std::string& metadata = "") {
  std::string data;
  std::ostringstream header;
  header << "{";
  if (!metadata.empty()) header << "\"__metadata__\":" << metadata << ",";
  bool first = true;
  for (const auto& [name, tensor] : tensors) {
    header << (first ? "" : ",") << "\"" << name << "\":{\"dtype\":\"F32\",\"shape\":[";
    first = false;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
      header << (i ? "," : "") << tensor.shape[i];
    std::size_t bytes = tensor.values.size() * sizeof(float);
    header << "],\"data_offsets\":[" << data.size() << "," << data.size() + bytes << "]}";
    data.append(reinterpret_cast<const char*>(tensor.values.data()), bytes);
  }
  header << "}";
  std::string text = header.str();
  text.append((8 - text.size() % 8) % 8, ' ');
  return safetensors_bytes(text, data);
}

}  // namespace tally::testing_files
