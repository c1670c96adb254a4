// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, by OpenSSL), fed piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tally {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(const void* data, std::size_t bytes);
  // 64 lower-case hexadecimal digits; the object takes no more data afterwards.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tally
