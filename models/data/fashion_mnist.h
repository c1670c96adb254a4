// SPDX-License-Identifier: Apache-2.0
// Fashion-MNIST (Xiao, Rasul, Vollgraf 2017) as Debian's package dataset-fashion-mnist ships it:
// 60,000 training and 10,000 test images of 28 x 28 grey bytes in 10 classes.
#pragma once

#include <optional>
#include <string>

#include "models/data/data_set.h"

namespace tally {

enum class Split { kTrain, kTest };

inline constexpr const char* kFashionMnistFolder = "/usr/share/datasets/fashion-mnist";

// The first `limit` images (all without a limit), named "fashion-train" or "fashion-test"; an input
// is 784 pixel values 0..255, row by row. Refuses a missing, truncated or malformed file, naming it
// and the Debian package.
Expected<DataSet> load_fashion_mnist(Split split, std::optional<std::size_t> limit = std::nullopt,
                                     const std::string& folder = kFashionMnistFolder);

}  // namespace tally
