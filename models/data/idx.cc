// SPDX-License-Identifier: Apache-2.0
#include "models/data/idx.h"

#include <zlib.h>

#include <array>
#include <filesystem>
#include <memory>

namespace tally {
namespace {

constexpr std::size_t kMaxRank = 4;
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

// zlib reads files without a gzip header as they are, so an uncompressed IDX file works too.
Expected<std::vector<std::uint8_t>> inflate_file(const std::string& path,
                                                 const std::string& package) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return fail("{}: no such file; install the Debian package {}", path, package);
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return fail("{}: cannot be read (Debian package {})", path, package);
  std::vector<std::uint8_t> data;
  std::array<std::uint8_t, 1 << 16> chunk;
  int got = 0;
  while ((got = gzread(file.get(), chunk.data(), chunk.size())) > 0 && data.size() <= kMaxBytes)
    data.insert(data.end(), chunk.begin(), chunk.begin() + got);
  int state = Z_OK;
  gzerror(file.get(), &state);
  if (got < 0 || state == Z_BUF_ERROR)
    return fail("{}: truncated or damaged gzip data; reinstall the Debian package {}", path,
                package);
  return data;
}

std::size_t big_endian_32(const std::uint8_t* bytes) {
  return std::size_t{bytes[0]} << 24 | std::size_t{bytes[1]} << 16 | std::size_t{bytes[2]} << 8 |
         bytes[3];
}

// Product of the sizes, or kMaxBytes + 1 where it is larger.
std::size_t bounded_product(const std::vector<std::size_t>& shape) {
  std::size_t product = 1;
  for (const std::size_t size : shape) {
    if (size != 0 && product > kMaxBytes / size) return kMaxBytes + 1;
    product *= size;
  }
  return product;
}

}  // namespace

Expected<IdxArray> read_idx_gz(const std::string& path, std::size_t rank,
                               const std::string& package) {
  TALLY_CHECK(rank >= 1 && rank <= kMaxRank, "rank {}", rank);
  TALLY_ASSIGN(const std::vector<std::uint8_t> file, inflate_file(path, package));
  const std::size_t header = 4 + 4 * rank;
  if (file.size() < header || file[0] != 0 || file[1] != 0 || file[2] != 8 || file[3] != rank)
    return fail(
        "{}: not an IDX file of unsigned bytes with {} dimension(s) (Debian package {} ships the "
        "right one)",
        path, rank, package);
  IdxArray array;
  for (std::size_t i = 0; i < rank; ++i)
    array.shape.push_back(big_endian_32(file.data() + 4 + 4 * i));
  const std::size_t bytes = bounded_product(array.shape);
  if (file.size() - header != bytes)
    return fail(
        "{}: {} bytes of data where its header promises {}; reinstall the Debian package {}", path,
        file.size() - header, fmt::join(array.shape, " x "), package);
  array.data.assign(file.begin() + static_cast<std::ptrdiff_t>(header), file.end());
  return array;
}

}  // namespace tally
