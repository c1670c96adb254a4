// SPDX-License-Identifier: Apache-2.0
// tally verify on RTL with a fault: what a user sees of the first difference.
#include "tests/cli/commands/program_test.h"

namespace tally::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

class Difference : public Program {
 protected:
  // The RTL of the tree, with one burst less outstanding in the load unit.
  void make_faulty_rtl() {
    fs::copy(TALLY_SOURCE_DIR "/rtl", folder_.path() / "rtl", fs::copy_options::recursive);
    const fs::path file = folder_.path() / "rtl/dma/tally_load.sv";
    std::string text = file_text(file);
    const std::string good = "32'(accept_i) < Outstanding;";
    const std::size_t place = text.find(good);
    ASSERT_NE(place, text.npos);
    write_text(file, text.replace(place, good.size(), "32'(accept_i) + 1 < Outstanding;"));
  }
  Ran verify(const std::string& arguments) {
    return tally("verify " + arguments, "TALLY_CACHE=cache TALLY_RTL_DIR=" + (folder_ / "rtl"));
  }
};

TEST_F(Difference, IsPrintedWithBothRecordsAndNodeAndDrawn) {
  make_faulty_rtl();
  const Ran model =
      verify("gpt-mini --sequence 2 --layers 1..1 --design tiny --waveform w.fst --around 50");
  EXPECT_EQ(model.status, 1) << model.out << model.err;
  EXPECT_THAT(model.out, AllOf(HasSubstr("sysc"), HasSubstr("rtl"), HasSubstr("node "),
                               HasSubstr("waveform: w.fst")));
  EXPECT_GT(fs::file_size(folder_ / "w.fst"), 0U);

  const Ran random = verify("random --programs 200 --design tiny --save failing");
  EXPECT_EQ(random.status, 1) << random.out << random.err;
  EXPECT_THAT(random.out, AllOf(HasSubstr("shrunk to "), HasSubstr("saved as failing/")));
  const auto saved = fs::directory_iterator(folder_ / "failing");
  ASSERT_NE(saved, fs::end(saved));
  EXPECT_EQ(verify(saved->path().string()).status, 1);
}

}  // namespace
}  // namespace tally::testing
