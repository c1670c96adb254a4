// SPDX-License-Identifier: Apache-2.0
#include "models/io/npy.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tally::io {
namespace {

std::string_view descriptor(ir::Format format) {
  switch (format) {
    case ir::Format::kF32:
      return "<f4";
    case ir::Format::kI8:
      return "|i1";
    case ir::Format::kU8:
      return "|u1";
    case ir::Format::kI32:
      return "<i4";
    case ir::Format::kF16:
    case ir::Format::kBf16:
      break;
  }
  TALLY_CHECK(false, "{} has no NumPy file", format_name(format));
  return {};
}

// As Python writes a tuple: (), (3,), (3, 4).
std::string tuple_text(const ir::Shape& shape) {
  std::string text = "(";
  for (std::int64_t dimension : shape) text += fmt::format("{}, ", dimension);
  if (shape.size() == 1) text.pop_back();
  if (shape.size() > 1) text.resize(text.size() - 2);
  return text + ")";
}

}  // namespace

std::string npy_bytes(const ir::Tensor& tensor) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                   descriptor(tensor.type().format), tuple_text(tensor.shape()));
  constexpr std::size_t kPrefixBytes = 10;
  while ((kPrefixBytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  bytes += header;
  bytes.append(static_cast<const char*>(tensor.data()), tensor.bytes().size());
  return bytes;
}

Status write_npy(const std::string& path, const ir::Tensor& tensor) {
  std::string part = fmt::format("{}.{}.part", path, ::getpid());
  std::ofstream file(part, std::ios::binary);
  file << npy_bytes(tensor);
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (!file || error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return fail("{}: cannot be written", path);
  }
  return {};
}

}  // namespace tally::io
