// SPDX-License-Identifier: Apache-2.0
#include "models/data/fashion_mnist.h"

#include "models/data/idx.h"

namespace tally {
namespace {

constexpr const char* kPackage = "dataset-fashion-mnist";
constexpr std::size_t kSide = 28;
constexpr std::size_t kPixels = kSide * kSide;
constexpr std::uint8_t kClasses = 10;

Expected<IdxArray> read_images(const std::string& path) {
  TALLY_ASSIGN(IdxArray images, read_idx_gz(path, 3, kPackage));
  if (images.shape[1] != kSide || images.shape[2] != kSide)
    return fail("{}: images of {} x {} pixels where 28 x 28 are expected (Debian package {})", path,
                images.shape[1], images.shape[2], kPackage);
  return images;
}

Expected<IdxArray> read_labels(const std::string& path, std::size_t images) {
  TALLY_ASSIGN(IdxArray labels, read_idx_gz(path, 1, kPackage));
  if (labels.shape[0] != images)
    return fail("{}: {} labels for {} images (Debian package {})", path, labels.shape[0], images,
                kPackage);
  for (std::size_t i = 0; i < images; ++i)
    if (labels.data[i] >= kClasses)
      return fail("{}: label {} of image {} is not a class 0..9 (Debian package {})", path,
                  labels.data[i], i, kPackage);
  return labels;
}

}  // namespace

Expected<DataSet> load_fashion_mnist(Split split, std::optional<std::size_t> limit,
                                     const std::string& folder) {
  const std::string prefix = folder + (split == Split::kTrain ? "/train" : "/t10k");
  TALLY_ASSIGN(const IdxArray images, read_images(prefix + "-images-idx3-ubyte.gz"));
  TALLY_ASSIGN(const IdxArray labels,
               read_labels(prefix + "-labels-idx1-ubyte.gz", images.shape[0]));
  DataSet set;
  set.name = split == Split::kTrain ? "fashion-train" : "fashion-test";
  set.task = Task::kClassify;
  TALLY_ASSIGN(set.indices, pick_samples(set.name, images.shape[0], limit, Pick::kFirst));
  for (const std::uint64_t index : set.indices) {
    const std::uint8_t* pixels = images.data.data() + index * kPixels;
    set.inputs.emplace_back(pixels, pixels + kPixels);
    set.labels.push_back(labels.data[index]);
  }
  return set;
}

}  // namespace tally
