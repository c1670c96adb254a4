// SPDX-License-Identifier: Apache-2.0
// A safetensors file, mapped: 8 bytes header length (little-endian), a JSON header, the tensors'
// bytes without gap. Format: https://github.com/huggingface/safetensors (README, "Format"). The
// whole header is checked on opening, also tensors that nobody uses; nothing outside the mapping is
// ever read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/tensor.h"
#include "models/io/mapped_file.h"

namespace tally::io {

struct TensorEntry {
  std::string dtype;  // as in the header: "F32", "BF16", ...
  ir::Shape shape;
  std::uint64_t begin = 0;  // bytes from the start of the data
  std::uint64_t end = 0;
};

class Safetensors {
 public:
  // Errors name the file and the tensor (both on overlap).
  static Expected<Safetensors> open(const std::string& path);

  const std::string& path() const { return file_->path(); }
  const std::map<std::string, TensorEntry>& entries() const { return entries_; }
  // The header's __metadata__.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  // Null where there is no such tensor.
  const TensorEntry* find(const std::string& name) const;

  // The tensor in fp32: a view of the file where it is F32 and aligned, else a converted copy. F16
  // and BF16 convert exactly; other dtypes are refused. `name` is one of entries().
  Expected<ir::Tensor> load(const std::string& name) const;
  // An error where the tensor is not F32, F16 or BF16 or holds a NaN or an infinity. `name` is one
  // of entries().
  Status check_finite(const std::string& name) const;

 private:
  Safetensors(std::shared_ptr<const MappedFile> file, std::size_t data_begin)
      : file_(std::move(file)), data_begin_(data_begin) {}
  Status read_header(std::string_view header);
  Status check_ranges() const;
  std::span<const std::byte> bytes_of(const TensorEntry& entry) const;

  std::shared_ptr<const MappedFile> file_;
  std::size_t data_begin_;
  std::map<std::string, TensorEntry> entries_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace tally::io
