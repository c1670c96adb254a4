// SPDX-License-Identifier: Apache-2.0
#include "models/base/sha256.h"

#include <openssl/evp.h>

#include "models/base/error.h"

namespace tally {

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  TALLY_CHECK(EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() { EVP_MD_CTX_free(impl_->context); }

void Sha256::update(const void* data, std::size_t bytes) {
  TALLY_CHECK(EVP_DigestUpdate(impl_->context, data, bytes) == 1);
}

std::string Sha256::hex() {
  unsigned char digest[32];
  TALLY_CHECK(EVP_DigestFinal_ex(impl_->context, digest, nullptr) == 1);
  std::string text;
  for (unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace tally
