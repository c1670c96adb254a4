// SPDX-License-Identifier: Apache-2.0
#include "models/io/safetensors.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/unit/io/test_files.h"

namespace tally::io {
namespace {

using ::testing::HasSubstr;
using namespace testing_files;

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  std::uint64_t begin, std::uint64_t end) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", name, dtype,
                     shape, begin, end);
}

// "{...}"
std::string object(const std::string& entries) { return fmt::format("{{{}}}", entries); }

std::string message_of(const std::string& bytes) {
  TempFolder folder;
  std::string path = folder.write("m.safetensors", bytes);
  auto opened = Safetensors::open(path);
  if (opened) return "opened";
  EXPECT_THAT(opened.error().message, ::testing::StartsWith(path));
  return opened.error().message;
}

TEST(Safetensors, ReadsEveryFormatAndMetadata) {
  TempFolder folder;
  // f16 1.5 and -2^-24, bf16 3.140625, f32 -7.25, i64 (legal, no weight).
  std::string data = std::string("\x00\x3e\x01\x80", 4) + std::string("\x49\x40", 2) +
                     std::string("\x00\x00\xe8\xc0", 4) + std::string(8, '\0');
  std::string header =
      object(fmt::format(R"({},{},{},{},"__metadata__":{{"format":"pt"}})",
                         entry("a", "F16", "[2]", 0, 4), entry("b", "BF16", "[1,1]", 4, 6),
                         entry("c", "F32", "[]", 6, 10), entry("d", "I64", "[1]", 10, 18)));
  auto file = Safetensors::open(folder.write("m.safetensors", safetensors_bytes(header, data)));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->metadata().at("format"), "pt");
  EXPECT_EQ(file->entries().size(), 4u);
  EXPECT_EQ(file->find("e"), nullptr);
  EXPECT_EQ(*file->load("a"), ir::Tensor::of<float>({2}, {1.5f, -0x1p-24f}));
  EXPECT_EQ(*file->load("b"), ir::Tensor::of<float>({1, 1}, {3.140625f}));
  EXPECT_EQ(*file->load("c"), ir::Tensor::of<float>({}, {-7.25f}));
  EXPECT_THAT(file->load("d").error().message,
              HasSubstr("tensor 'd': dtype I64 is not a weight format (F32, F16, BF16)"));
  EXPECT_THAT(file->check_finite("d").error().message, HasSubstr("tensor 'd': dtype I64"));
}

TEST(Safetensors, ViewsAlignedDataInPlaceAndCopiesTheRest) {
  TempFolder folder;
  for (const char* pad : {"", " ", "  ", "   "}) {
    std::string header = object(entry("a", "F32", "[2]", 0, 8)) + pad;
    std::string data("\x00\x00\x80\x3f\x00\x00\x00\x40", 8);
    auto file = Safetensors::open(folder.write("m.safetensors", safetensors_bytes(header, data)));
    ASSERT_TRUE(file) << file.error().message;
    auto tensor = file->load("a");
    EXPECT_EQ(*tensor, ir::Tensor::of<float>({2}, {1, 2}));
    bool in_place = file->load("a")->data() == tensor->data();
    EXPECT_EQ(in_place, header.size() % 4 == 0);
  }
}

TEST(Safetensors, TensorOutlivesTheFileObject) {
  TempFolder folder;
  ir::Tensor tensor;
  {
    auto file =
        Safetensors::open(folder.write("m.safetensors", safetensors_of({{"a", {{2}, {3, 4}}}})));
    tensor = *file->load("a");
  }
  EXPECT_EQ(tensor, ir::Tensor::of<float>({2}, {3, 4}));
}

TEST(Safetensors, FindsNanAndInfinityInEveryFormat) {
  TempFolder folder;
  struct Case {
    const char* dtype;
    std::string bytes;
  };
  const std::vector<Case> cases = {
      {"F32", std::string("\x00\x00\xc0\x7f", 4)}, {"F32", std::string("\x00\x00\x80\xff", 4)},
      {"F16", std::string("\x01\x7c", 2)},         {"F16", std::string("\x00\xfc", 2)},
      {"BF16", std::string("\xc0\x7f", 2)},        {"BF16", std::string("\x80\xff", 2)}};
  for (const Case& c : cases) {
    std::size_t bytes = 2 * c.bytes.size();
    std::string header = object(entry("w", c.dtype, "[2]", 0, bytes));
    std::string data = std::string(c.bytes.size(), '\0') + c.bytes;
    auto file = Safetensors::open(folder.write("m.safetensors", safetensors_bytes(header, data)));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->check_finite("w").error().message,
              folder.file("m.safetensors") + ": tensor 'w': element 1 is NaN or infinite");
  }
  auto good = Safetensors::open(
      folder.write("m.safetensors",
                   safetensors_of({{"w", {{2}, {std::numeric_limits<float>::max(), -1e-45f}}}})));
  EXPECT_TRUE(good->check_finite("w"));
}

TEST(Safetensors, RefusesWhatIsNoHeader) {
  EXPECT_THAT(message_of(""), HasSubstr("empty file"));
  EXPECT_THAT(message_of("abc"), HasSubstr("3 bytes are no safetensors file"));
  EXPECT_THAT(message_of(std::string("\x10\0\0\0\0\0\0\0{}", 10)),
              HasSubstr("header of 16 bytes in a file of 10: truncated"));
  EXPECT_THAT(message_of(std::string(8, '\xff')),
              HasSubstr("truncated, or not a safetensors file"));
  EXPECT_THAT(message_of(safetensors_bytes("{not json", "")), HasSubstr("header: not JSON (byte"));
  EXPECT_THAT(message_of(safetensors_bytes("", "")), HasSubstr("header: not JSON"));
  EXPECT_THAT(message_of(safetensors_bytes("[]", "")), HasSubstr("header: not a JSON object"));
  EXPECT_THAT(message_of(safetensors_bytes("{}", "")), HasSubstr("no tensors"));
  EXPECT_THAT(message_of(safetensors_bytes("{\"a\":1e999}", "")),
              HasSubstr("not JSON (a number out of range)"));
  EXPECT_THAT(message_of(safetensors_bytes(std::string(100000, '['), "")),
              HasSubstr("JSON nested more than 64 deep"));
  EXPECT_THAT(message_of(safetensors_bytes("{\"a\":\"\xff\xfe\"}", "")), HasSubstr("not JSON"));
}

TEST(Safetensors, RefusesHeadersThatLie) {
  struct Case {
    std::string entries;
    std::size_t data_bytes;
    std::string message;
  };
  const std::string a = entry("a", "F32", "[2]", 0, 8);
  const std::vector<Case> cases = {
      {entry("q", "F7", "[2]", 0, 8), 8, "tensor 'q': unknown dtype 'F7'"},
      {a + "," + a, 8, "key 'a' twice"},
      {entry("a", "F32", "[1000,1000]", 0, 4), 4,
       "tensor 'a': [1000,1000] of F32 does not take the 4 bytes that it has"},
      {entry("a", "F32", "[4294967296,4294967296]", 0, 4), 4,
       "tensor 'a': [4294967296,4294967296]"},
      {entry("a", "F32", "[4611686018427387904]", 0, 0), 0, "tensor 'a': [4611686018427387904]"},
      {entry("a", "F4", "[3]", 0, 2), 2, "tensor 'a': [3] of F4 does not take"},
      {entry("a", "F32", "[-2]", 0, 8), 8,
       "tensor 'a': 'shape' holds something that is not a size"},
      {entry("a", "F32", "[2.0]", 0, 8), 8, "tensor 'a': 'shape' holds something"},
      {entry("a", "F32", "[\"2\"]", 0, 8), 8, "tensor 'a': 'shape' holds something"},
      {entry("a", "F32", "[18446744073709551615]", 0, 8), 8, "'shape' holds something"},
      {entry("a", "F32", "2", 0, 8), 8, "tensor 'a': 'shape' is missing or not a list"},
      {entry("a", "F32", "[2]", 8, 0), 8, "tensor 'a': 'data_offsets' end before they begin"},
      {entry("a", "F32", "[2]", 0, 8), 7,
       "tensor 'a': ends at byte 8 of the data, but the file holds 7 (truncated?)"},
      {"\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}", 8,
       "tensor 'a': 'data_offsets' is missing or not two sizes"},
      {"\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}", 8,
       "tensor 'a': 'data_offsets' is missing or not two sizes"},
      {"\"a\":{\"shape\":[2],\"data_offsets\":[0,8]}", 8,
       "tensor 'a': 'dtype' is missing or not a string"},
      {"\"a\":3", 8, "tensor 'a': not a JSON object"},
      {a + "," + entry("k_proj", "F32", "[2]", 8, 16) + "," + entry("v_proj", "F32", "[2]", 8, 16),
       16, "tensors 'k_proj' and 'v_proj' share bytes"},
      {a + "," + entry("b", "F32", "[2]", 4, 12), 12, "tensors 'a' and 'b' share bytes"},
      {a + "," + entry("b", "F32", "[2]", 24, 32), 32,
       "bytes 8 to 24 in front of tensor 'b' belong to no tensor"},
      {a, 9, "1 bytes after the last tensor 'a' belong to no tensor"},
      {a + ",\"__metadata__\":3", 8, "__metadata__: not a JSON object"},
      {a + ",\"__metadata__\":{\"x\":3}", 8, "__metadata__: 'x' is not a string"},
  };
  for (const Case& c : cases)
    EXPECT_THAT(message_of(safetensors_bytes(object(c.entries), std::string(c.data_bytes, '\0'))),
                HasSubstr(c.message));
}

TEST(Safetensors, EveryTruncationIsRefused) {
  std::string bytes = safetensors_of({{"a", {{2, 2}, {1, 2, 3, 4}}}, {"b", {{3}, {5, 6, 7}}}});
  ASSERT_EQ(message_of(bytes), "opened");
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(message_of(bytes.substr(0, length)), "opened") << length;
}

TEST(Safetensors, RandomBytesAndFlippedBytesNeverCrash) {
  std::mt19937 random(1);
  std::string good = safetensors_of({{"a", {{2, 2}, {1, 2, 3, 4}}}, {"b", {{3}, {5, 6, 7}}}});
  TempFolder folder;
  for (int i = 0; i < 400; ++i) {
    std::string bytes = good;
    if (i % 2 == 0) {
      for (char& c : bytes) c = static_cast<char>(random());
      if (i % 4 == 0) std::memcpy(bytes.data(), "\x20\0\0\0\0\0\0\0", 8);
    } else {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    auto file = Safetensors::open(folder.write("m.safetensors", bytes));
    if (!file) continue;
    for (const auto& [name, tensor] : file->entries()) (void)file->load(name);
  }
}

TEST(Safetensors, PathsThatAreNoFile) {
  TempFolder folder;
  EXPECT_EQ(Safetensors::open(folder.file("none")).error().message,
            folder.file("none") + ": No such file or directory");
  EXPECT_EQ(Safetensors::open(folder.path()).error().message,
            folder.path() + ": not a regular file");
}

}  // namespace
}  // namespace tally::io
