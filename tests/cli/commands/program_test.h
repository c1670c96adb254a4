// SPDX-License-Identifier: Apache-2.0
// Runs `tally` as a user does: arguments in, status and text out.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/process.h"

namespace tally::testing {

class Program : public ::testing::Test {
 protected:
  // From within the folder of the test.
  Ran tally(const std::string& arguments, const std::string& environment = "") {
    return run_shell(
        "cd " + folder_.path().string() + " && " + environment + " " TALLY_BINARY " " + arguments,
        folder_);
  }
  // Ends 0; its standard output.
  std::string output(const std::string& arguments) {
    const Ran ran = tally(arguments);
    EXPECT_EQ(ran.status, 0) << arguments << "\n" << ran.err;
    EXPECT_EQ(ran.err, "") << arguments;
    return ran.out;
  }
  // Ends 2 with one line on standard error and nothing else; that line without "tally: ".
  std::string refusal(const std::string& arguments, const std::string& environment = "") {
    const Ran ran = tally(arguments, environment);
    EXPECT_EQ(ran.status, 2) << arguments << "\n" << ran.err;
    EXPECT_EQ(ran.out, "") << arguments;
    EXPECT_TRUE(ran.err.starts_with("tally: ")) << arguments << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << arguments << "\n" << ran.err;
    return ran.err.substr(std::min<std::size_t>(7, ran.err.size()));
  }
  nlohmann::json json(const std::string& name) {
    const std::string text = file_text(folder_ / name);
    EXPECT_TRUE(nlohmann::json::accept(text)) << name << ": " << text;
    return nlohmann::json::accept(text) ? nlohmann::json::parse(text) : nlohmann::json();
  }
  bool exists(const std::string& name) { return std::filesystem::exists(folder_ / name); }
  void write(const std::string& name, const std::string& text) {
    write_text(folder_.path() / name, text);
  }

  TemporaryFolder folder_;
};

}  // namespace tally::testing
