// SPDX-License-Identifier: Apache-2.0
// What is committed is what tally-isa-gen writes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Generated, FilesAreCurrent) {
  const fs::path root =
      fs::path(testing::TempDir()) / ("tally-isa-gen-" + std::to_string(getpid()));
  for (const char* folder : {"compiler/isa/gen", "rtl/gen", "docs"})
    fs::create_directories(root / folder);
  ASSERT_EQ(std::system((std::string(TALLY_ISA_GEN) + " " + root.string()).c_str()), 0);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const fs::path relative = fs::relative(entry.path(), root);
    ++files;
    EXPECT_EQ(read(fs::path(TALLY_SOURCE_DIR) / relative), read(entry.path()))
        << relative << " is not what compiler/isa/isa_table.h says: run tally-isa-gen .";
  }
  EXPECT_EQ(files, 4);
  fs::remove_all(root);
}

TEST(Generated, GeneratorRefusesAPlaceItCannotWriteTo) {
  const std::string quiet = " 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system((std::string(TALLY_ISA_GEN) + " /nowhere" + quiet).c_str())),
            2);
  EXPECT_EQ(WEXITSTATUS(std::system((std::string(TALLY_ISA_GEN) + quiet).c_str())), 2);
}

}  // namespace
