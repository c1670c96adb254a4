// SPDX-License-Identifier: Apache-2.0
#include "models/machine/machine.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace tally {

DramImage::DramImage(std::int64_t capacity_bytes) : capacity_(capacity_bytes) {
  void* memory = mmap(nullptr, std::size_t(capacity_), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TALLY_CHECK(memory != MAP_FAILED, "no address space for {} bytes of DRAM", capacity_);
  data_ = static_cast<std::uint8_t*>(memory);
}

DramImage::~DramImage() {
  if (data_ != nullptr) munmap(data_, std::size_t(capacity_));
}

DramImage::DramImage(DramImage&& other) noexcept
    : capacity_(std::exchange(other.capacity_, 0)), data_(std::exchange(other.data_, nullptr)) {}

DramImage& DramImage::operator=(DramImage&& other) noexcept {
  std::swap(capacity_, other.capacity_);
  std::swap(data_, other.data_);
  return *this;
}

void DramImage::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  TALLY_CHECK(address + bytes.size() <= std::uint64_t(capacity_));
  if (!bytes.empty()) std::memcpy(data_ + address, bytes.data(), bytes.size());
}

void DramImage::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  TALLY_CHECK(address + bytes.size() <= std::uint64_t(capacity_));
  if (!bytes.empty()) std::memcpy(bytes.data(), data_ + address, bytes.size());
}

void DramImage::clear() { madvise(data_, std::size_t(capacity_), MADV_DONTNEED); }

std::string_view fault_name(FaultCode code) {
  constexpr std::string_view kNames[] = {"none",      "opcode",       "field",
                                         "range",     "waiters",      "configuration",
                                         "bus_error", "gather_index", "semaphore_overflow"};
  return kNames[int(code)];
}

bool is_static(FaultCode code) {
  return code >= FaultCode::kOpcode && code <= FaultCode::kConfiguration;
}

}  // namespace tally
