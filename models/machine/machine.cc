// SPDX-License-Identifier: Apache-2.0
#include "models/machine/machine.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace tally {

// A memory file: pages come when written, a child process can map them, and the pages that hold
// data can be asked for.
DramImage::DramImage(std::int64_t capacity_bytes) : capacity_(capacity_bytes) {
  file_ = memfd_create("tally-dram", MFD_CLOEXEC);
  TALLY_CHECK(file_ >= 0 && ftruncate(file_, capacity_) == 0, "no memory file of {} bytes",
              capacity_);
  void* memory =
      mmap(nullptr, std::size_t(capacity_), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  TALLY_CHECK(memory != MAP_FAILED, "no address space for {} bytes of DRAM", capacity_);
  data_ = static_cast<std::uint8_t*>(memory);
}

DramImage::~DramImage() {
  if (data_ != nullptr) munmap(data_, std::size_t(capacity_));
  if (file_ >= 0) close(file_);
}

DramImage::DramImage(DramImage&& other) noexcept
    : capacity_(std::exchange(other.capacity_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      file_(std::exchange(other.file_, -1)) {}

DramImage& DramImage::operator=(DramImage&& other) noexcept {
  std::swap(capacity_, other.capacity_);
  std::swap(data_, other.data_);
  std::swap(file_, other.file_);
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

void DramImage::clear() {
  TALLY_CHECK(fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, capacity_) == 0);
}

std::vector<DramImage::Extent> DramImage::written() const {
  std::vector<Extent> extents;
  off_t begin = lseek(file_, 0, SEEK_DATA);
  while (begin >= 0 && begin < capacity_) {
    const off_t end = lseek(file_, begin, SEEK_HOLE);
    extents.push_back({std::uint64_t(begin), std::uint64_t(end - begin)});
    begin = lseek(file_, end, SEEK_DATA);
  }
  return extents;
}

namespace {

template <class Combine>
void combine(Events* to, const Events& from, Combine f) {
  f(to->multiplications, from.multiplications);
  f(to->activation_reads, from.activation_reads);
  f(to->activation_writes, from.activation_writes);
  f(to->weight_reads, from.weight_reads);
  f(to->weight_writes, from.weight_writes);
  f(to->accumulator_reads, from.accumulator_reads);
  f(to->accumulator_writes, from.accumulator_writes);
  const auto each = [&](auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i) f(a[i], b[i]);
  };
  each(to->vector_operations, from.vector_operations);
  each(to->instructions, from.instructions);
  each(to->bursts, from.bursts);
  each(to->beats, from.beats);
}

}  // namespace

Events& operator+=(Events& to, const Events& from) {
  combine(&to, from, [](std::uint64_t& a, std::uint64_t b) { a += b; });
  return to;
}

Events operator-(const Events& a, const Events& b) {
  Events difference = a;
  combine(&difference, b, [](std::uint64_t& x, std::uint64_t y) { x -= y; });
  return difference;
}

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
