// SPDX-License-Identifier: Apache-2.0
// .tally files: magic, SHA-256 of the payload in hexadecimal, payload (program_codec.h).
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/program/program.h"
#include "compiler/program/program_codec.h"
#include "models/base/sha256.h"

namespace tally {
namespace {

constexpr std::string_view kMagic = "tally program 1\n";
constexpr std::size_t kDigits = 64;

std::string digest(std::span<const std::uint8_t> bytes) {
  Sha256 sha;
  sha.update(bytes.data(), bytes.size());
  return sha.hex();
}

}  // namespace

// Written beside its place and renamed, so that no half file is left behind.
Status save_program(const Program& program, const std::string& path) {
  const std::vector<std::uint8_t> payload = encode_program(program);
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    file << kMagic << digest(payload);
    file.write(reinterpret_cast<const char*>(payload.data()), std::streamsize(payload.size()));
    if (!file.flush()) {
      std::remove(temporary.c_str());
      return fail("{}: cannot be written", path);
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::remove(temporary.c_str());
    return fail("{}: cannot be written: {}", path, error.message());
  }
  return {};
}

Expected<Program> load_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return fail("{}: cannot be read", path);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return fail("{}: cannot be read", path);
  const std::size_t header = kMagic.size() + kDigits;
  if (text.size() < kMagic.size() || std::memcmp(text.data(), kMagic.data(), kMagic.size()) != 0)
    return fail("{}: not a tally program (a file written by 'tally compile')", path);
  if (text.size() < header) return fail("{}: damaged program file: it ends too early", path);
  const std::span payload(reinterpret_cast<const std::uint8_t*>(text.data()) + header,
                          text.size() - header);
  if (digest(payload) != std::string(text.data() + kMagic.size(), kDigits))
    return fail("{}: damaged program file: its SHA-256 is another than it says", path);
  auto program = decode_program(payload);
  if (!program) return fail("{}: damaged program file: {}", path, program.error().message);
  return program;
}

}  // namespace tally
