// SPDX-License-Identifier: Apache-2.0
// Small models with seeded weights as Hugging Face folders, to be changed by a test before they are
// written.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/nets/import.h"
#include "tests/unit/io/test_files.h"

namespace tally::nets {

using testing_files::TempFolder;
using testing_files::TestTensor;

struct TinyModel {
  nlohmann::json config;
  std::map<std::string, TestTensor> tensors;
  nlohmann::json metadata = nlohmann::json::object();
  nlohmann::json preprocessor;  // written where it is not null

  void rename(const std::string& from, const std::string& to);
  // Every name without the prefix.
  void strip(const std::string& prefix);
  void write(const TempFolder& folder) const;
  // The import of the model in a folder of its own, which `folder` keeps.
  Expected<Model> imported(const TempFolder& folder) const;
  // The message of a refused import, with the folder's name taken out; "imported" otherwise.
  std::string message() const;
};

// Hidden 8, 2 heads, 2 layers, vocabulary 11, 16 positions, tied, `transformer.` names.
TinyModel tiny_gpt2();
// Hidden 40, 3 heads of 16, 1 KV head, FFN 24, 2 layers, vocabulary 13, 32 positions, untied,
// `model.` names.
TinyModel tiny_llama();
// Hidden 8, 2 heads, FFN 12, 2 layers, 2 channels of 6 x 6 pixels in patches of 3, 5 classes,
// `vit.` names.
TinyModel tiny_vit();

}  // namespace tally::nets
