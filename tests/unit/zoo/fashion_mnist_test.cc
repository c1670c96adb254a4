// SPDX-License-Identifier: Apache-2.0
#include "models/data/fashion_mnist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "models/data/idx.h"
#include "tests/unit/zoo/temp_folder.h"

namespace tally {
namespace {

using test::TempFolder;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

constexpr const char* kImages = "t10k-images-idx3-ubyte.gz";
constexpr const char* kLabels = "t10k-labels-idx1-ubyte.gz";

Bytes idx(const std::vector<std::uint32_t>& shape, const Bytes& data) {
  Bytes bytes = {0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t size : shape)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<std::uint8_t>(size >> shift));
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

// Two images (all 1, all 2) with labels 3 and 4; `change` damages one file.
std::string message_of(const std::function<void(const TempFolder&)>& change) {
  const TempFolder folder;
  Bytes pixels(2 * 784, 2);
  std::fill_n(pixels.begin(), 784, std::uint8_t{1});
  folder.write_gz(kImages, idx({2, 28, 28}, pixels));
  folder.write_gz(kLabels, idx({2}, {3, 4}));
  change(folder);
  const auto set = load_fashion_mnist(Split::kTest, std::nullopt, folder.path());
  return set ? "" : set.error().message;
}

TEST(FashionMnist, TestSetIsTheDebianPackages) {
  const auto set = load_fashion_mnist(Split::kTest);
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->name, "fashion-test");
  EXPECT_EQ(set->task, Task::kClassify);
  ASSERT_EQ(set->inputs.size(), 10000u);
  ASSERT_EQ(set->labels.size(), 10000u);
  EXPECT_EQ(set->samples(), 10000u);
  std::array<int, 10> count{};
  for (const std::int32_t label : set->labels) ++count[static_cast<std::size_t>(label)];
  EXPECT_THAT(count, Each(1000));
  for (const auto& input : set->inputs) ASSERT_EQ(input.size(), 784u);
}

TEST(FashionMnist, LimitTakesTheFirst) {
  const auto set = load_fashion_mnist(Split::kTrain, 3);
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->name, "fashion-train");
  EXPECT_THAT(set->indices, testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(set->labels, testing::ElementsAre(9, 0, 0));
}

TEST(FashionMnist, TrainAndTestShareNoImage) {
  const auto train = load_fashion_mnist(Split::kTrain, 2000);
  const auto test = load_fashion_mnist(Split::kTest, 2000);
  ASSERT_TRUE(train && test);
  EXPECT_FALSE(first_shared_sample(*train, *test));
}

TEST(FashionMnist, ReadsWhatTheFilesSay) {
  EXPECT_EQ(message_of([](const TempFolder&) {}), "");
  const TempFolder folder;
  Bytes pixels(784);
  std::iota(pixels.begin(), pixels.end(), std::uint8_t{0});
  folder.write_gz(kImages, idx({1, 28, 28}, pixels));
  folder.write_gz(kLabels, idx({1}, {7}));
  const auto set = load_fashion_mnist(Split::kTest, std::nullopt, folder.path());
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->labels[0], 7);
  for (std::size_t i = 0; i < 784; ++i) EXPECT_EQ(set->inputs[0][i], static_cast<float>(i % 256));
}

TEST(FashionMnist, MissingFileNamesFileAndPackage) {
  const std::string message =
      message_of([](const TempFolder& f) { std::filesystem::remove(f.file(kLabels)); });
  EXPECT_THAT(message, AllOf(HasSubstr(kLabels), HasSubstr("no such file"),
                             HasSubstr("Debian package dataset-fashion-mnist")));
}

TEST(FashionMnist, TruncatedGzipIsRefusedAtEveryLength) {
  const TempFolder folder;
  const std::string path = folder.write_gz("whole.gz", idx({2, 28, 28}, Bytes(2 * 784, 5)));
  std::ifstream in(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = folder.write("cut.gz", whole.substr(0, length));
    const auto array = read_idx_gz(cut, 3, "some-package");
    ASSERT_FALSE(array) << length;
    EXPECT_THAT(array.error().message, AllOf(HasSubstr("cut.gz"), HasSubstr("some-package")));
  }
}

TEST(FashionMnist, DamagedGzipIsRefused) {
  const std::string message = message_of([](const TempFolder& f) {
    std::fstream file(f.file(kImages), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(20);
    file.write("\xff\xff\xff\xff", 4);
  });
  EXPECT_THAT(message, AllOf(HasSubstr(kImages), HasSubstr("dataset-fashion-mnist")));
}

TEST(FashionMnist, WrongMagicOrRankIsRefused) {
  for (const std::size_t position : {0, 1, 2, 3}) {
    const std::string message = message_of([&](const TempFolder& f) {
      Bytes bytes = idx({2}, {3, 4});
      bytes[position] = 9;
      f.write_gz(kLabels, bytes);
    });
    EXPECT_THAT(message, AllOf(HasSubstr(kLabels), HasSubstr("not an IDX file"))) << position;
  }
}

TEST(FashionMnist, RandomTextIsRefused) {
  const std::string message =
      message_of([](const TempFolder& f) { f.write(kImages, "hello, this is no image file"); });
  EXPECT_THAT(message, AllOf(HasSubstr(kImages), HasSubstr("not an IDX file")));
}

TEST(FashionMnist, SizesThatDoNotFitTheDataAreRefused) {
  for (const std::uint32_t count : {1u, 3u, 0xffffffffu}) {
    const std::string message = message_of([&](const TempFolder& f) {
      f.write_gz(kImages, idx({count, 28, 28}, Bytes(2 * 784, 1)));
    });
    EXPECT_THAT(message, AllOf(HasSubstr(kImages), HasSubstr("header promises"))) << count;
  }
  EXPECT_THAT(message_of([](const TempFolder& f) {
                f.write_gz(kImages, idx({0xffffffffu, 0xffffffffu, 0xffffffffu}, {}));
              }),
              HasSubstr("header promises"));
}

TEST(FashionMnist, OtherImageSizeIsRefused) {
  EXPECT_THAT(message_of([](const TempFolder& f) {
                f.write_gz(kImages, idx({2, 8, 8}, Bytes(128, 1)));
              }),
              HasSubstr("images of 8 x 8 pixels where 28 x 28 are expected"));
}

TEST(FashionMnist, LabelsMustFitTheImages) {
  EXPECT_THAT(message_of([](const TempFolder& f) { f.write_gz(kLabels, idx({1}, {3})); }),
              HasSubstr("1 labels for 2 images"));
  EXPECT_THAT(message_of([](const TempFolder& f) {
                f.write_gz(kLabels, idx({2}, {3, 10}));
              }),
              HasSubstr("label 10 of image 1 is not a class 0..9"));
}

TEST(FashionMnist, TooManySamplesAreRefused) {
  const auto set = load_fashion_mnist(Split::kTest, 10001);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message, "fashion-test: asked for 10001 samples, but it has 10000");
}

}  // namespace
}  // namespace tally
