// SPDX-License-Identifier: Apache-2.0
#include "models/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tally::io {
namespace {

// Closes a descriptor at the end of its scope; the mapping outlives it.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

Expected<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return fail("{}: {}", path, std::strerror(errno));
  struct stat status = {};
  if (::fstat(file.number, &status) != 0) return fail("{}: {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return fail("{}: not a regular file", path);
  auto size = static_cast<std::size_t>(status.st_size);
  std::span<const std::byte> bytes;
  if (size > 0) {
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (data == MAP_FAILED) return fail("{}: {}", path, std::strerror(errno));
    bytes = {static_cast<const std::byte*>(data), size};
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(path, bytes));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace tally::io
