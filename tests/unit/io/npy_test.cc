// SPDX-License-Identifier: Apache-2.0
#include "models/io/npy.h"

#include <gtest/gtest.h>

#include "tests/unit/io/test_files.h"

namespace tally::io {
namespace {

using namespace testing_files;

// The header that NumPy writes for the shape and dtype, padded to 64 bytes.
std::string expected(const std::string& header) {
  std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
  bytes += header;
  bytes.resize(127, ' ');
  return bytes + "\n";
}

TEST(Npy, BytesAreThoseOfNumpy) {
  auto tensor = ir::Tensor::of<std::int8_t>({1, 2}, {-1, 2});
  EXPECT_EQ(npy_bytes(tensor),
            expected("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2), }") + "\xff\x02");
  EXPECT_EQ(npy_bytes(ir::Tensor::of<std::uint8_t>({1}, {7})),
            expected("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }") + "\x07");
  EXPECT_EQ(npy_bytes(ir::Tensor::of<std::int32_t>({}, {1})),
            expected("{'descr': '<i4', 'fortran_order': False, 'shape': (), }") +
                std::string("\x01\0\0\0", 4));
  EXPECT_EQ(npy_bytes(ir::Tensor::of<float>({1}, {1})),
            expected("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }") +
                std::string("\0\0\x80\x3f", 4));
}

TEST(Npy, WritesTheWholeFileOrNothing) {
  TempFolder folder;
  auto tensor = ir::Tensor::of<float>({2}, {1, 2});
  ASSERT_TRUE(write_npy(folder.file("y.npy"), tensor));
  EXPECT_EQ(folder.read("y.npy"), npy_bytes(tensor));
  std::string blocked = folder.file("none/y.npy");
  EXPECT_EQ(write_npy(blocked, tensor).error().message, blocked + ": cannot be written");
  std::filesystem::create_directories(folder.file("full/in"));
  EXPECT_FALSE(write_npy(folder.file("full"), tensor));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& item : std::filesystem::directory_iterator(folder.path()))
    ++files;
  EXPECT_EQ(files, 2u);
}

}  // namespace
}  // namespace tally::io
