// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/unit/program/mini_program.h"

namespace tally {
namespace {

using namespace test;

Program sample() {
  const Design design = tiny_design();
  Program program;
  program.model = "m", program.recipe = "int8", program.design = design.name;
  program.design_hash = design.hash();
  program.design_keys = design.hardware_keys();
  program.code = encode_all(mini_program());
  program.regions = {{"operands", 0, 512}, {"results", 1, 256}};
  program.segments = {{0, 16, {1, 2, 3}}, {1, 255, {9}}};
  program.inputs = {{"x", 0, 0, isa::Element::kI8, 8, 16, 16}};
  program.outputs = {{"y", 1, 0, isa::Element::kF32, 8, 8, 32}};
  program.nodes = {{"layer0", "matmul", 1024}, {"copy", "move", 0}};
  program.node_of_instruction.assign(program.code.size(), 1);
  return program;
}

class ProgramFile : public testing::Test {
 protected:
  ProgramFile() {
    directory_ = std::filesystem::temp_directory_path() / fmt::format("tally-{}", getpid());
    std::filesystem::create_directories(directory_);
  }
  ~ProgramFile() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path directory_;
};

TEST_F(ProgramFile, SurvivesSaveAndLoad) {
  const Program program = sample();
  ASSERT_TRUE(save_program(program, path("p.tally")));
  const auto loaded = load_program(path("p.tally"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(*loaded, program);
  EXPECT_EQ(loaded->sha256(), program.sha256());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_), {}), 1);
}

TEST_F(ProgramFile, RefusesWhatIsNotOne) {
  EXPECT_EQ(load_program(path("none")).error().message, path("none") + ": cannot be read");
  EXPECT_EQ(load_program(directory_.string()).error().message,
            directory_.string() + ": cannot be read");
  write("text", "hello");
  EXPECT_EQ(load_program(path("text")).error().message,
            path("text") + ": not a tally program (a file written by 'tally compile')");
  EXPECT_EQ(save_program(sample(), path("no/where")).error().message,
            path("no/where") + ": cannot be written");
}

TEST_F(ProgramFile, RefusesEveryTruncation) {
  ASSERT_TRUE(save_program(sample(), path("p")));
  const std::string good = read("p");
  for (std::size_t size = 0; size < good.size(); size += 7) {
    write("cut", good.substr(0, size));
    ASSERT_FALSE(load_program(path("cut"))) << size;
  }
  write("cut", good.substr(0, good.size() - 1));
  EXPECT_EQ(load_program(path("cut")).error().message,
            path("cut") + ": damaged program file: its SHA-256 is another than it says");
  write("cut", good.substr(0, 20));
  EXPECT_EQ(load_program(path("cut")).error().message,
            path("cut") + ": damaged program file: it ends too early");
}

TEST_F(ProgramFile, RefusesEveryFlippedBit) {
  ASSERT_TRUE(save_program(sample(), path("p")));
  const std::string good = read("p");
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[random() % bad.size()] ^= char(1 << random() % 8);
    write("bad", bad);
    ASSERT_FALSE(load_program(path("bad")));
  }
}

TEST(Program, HashCoversEverything) {
  const std::string hash = sample().sha256();
  const auto changed = [&](auto change) {
    Program program = sample();
    change(program);
    return program.sha256() != hash;
  };
  EXPECT_EQ(hash, sample().sha256());
  EXPECT_TRUE(changed([](Program& p) { p.recipe = "x"; }));
  EXPECT_TRUE(changed([](Program& p) { p.code[3][5] ^= 1; }));
  EXPECT_TRUE(changed([](Program& p) { p.segments[1].bytes[0] = 8; }));
  EXPECT_TRUE(changed([](Program& p) { p.outputs[0].pitch_bytes = 64; }));
  EXPECT_TRUE(changed([](Program& p) { p.nodes[0].macs = 1; }));
  EXPECT_TRUE(changed([](Program& p) { p.design_keys.pop_back(); }));
}

TEST(Program, PlacesRegionsOnPages) {
  Program program = sample();
  program.code.resize(129);  // one byte more than a page
  EXPECT_EQ(program.region_address(0), 8192u);
  EXPECT_EQ(program.region_address(1), 12288u);
  EXPECT_EQ(program.dram_bytes(), 12288u + 256u);
  const MachineProgram placed = program.place();
  EXPECT_EQ(placed.code_address, 0u);
  EXPECT_EQ(placed.instructions, 129u);
  EXPECT_EQ(placed.bases[0], 8192u);
  EXPECT_EQ(placed.bases[1], 12288u);
  EXPECT_EQ(program.macs(), 1024u);
}

TEST(Program, LoadsCodeAndSegments) {
  const Program program = sample();
  DramImage dram(1 << 20);
  ASSERT_TRUE(program.load_into(&dram));
  EXPECT_EQ(std::memcmp(dram.data(), program.code.data(), 32 * program.code.size()), 0);
  EXPECT_EQ(dram.data()[4096 + 17], 2);
  EXPECT_EQ(dram.data()[8192 + 255], 9);
  DramImage too_small(8192 + 128);
  EXPECT_EQ(program.load_into(&too_small).error().message,
            "the program needs 8448 bytes of DRAM; design 'tiny' has 8320");
}

TEST(Program, GivesItsDesignBack) {
  Program program = sample();
  const auto design = design_of(program);
  ASSERT_TRUE(design) << design.error().message;
  EXPECT_EQ(design->hash(), tiny_design().hash());
  EXPECT_EQ(design->hardware_keys(), tiny_design().hardware_keys());
  program.design_hash ^= 1;
  EXPECT_NE(design_of(program).error().message.find("do not give its design hash"),
            std::string::npos);
}

TEST(Program, AnotherDesignIsRefusedWithTheKeysThatDiffer) {
  const Program program = sample();
  Design design = tiny_design();
  EXPECT_TRUE(check_design(program, design));
  design.name = "other";
  EXPECT_TRUE(check_design(program, design));  // a name is no hardware
  design.lanes = 8;
  design.load_queue = 2;
  const auto status = check_design(program, design);
  ASSERT_FALSE(status);
  const std::string& message = status.error().message;
  EXPECT_NE(message.find(fmt::format("{:016x}", program.design_hash)), std::string::npos);
  EXPECT_NE(message.find(fmt::format("{:016x}", design.hash())), std::string::npos);
  EXPECT_NE(message.find("vector.lanes (4 in the program, 8 in the design), queues.load (4 in the "
                         "program, 2 in the design)"),
            std::string::npos)
      << message;
}

TEST(DramImage, IsZeroAgainAfterClearAndKnowsWhatIsWritten) {
  DramImage dram(std::int64_t(1) << 32);
  EXPECT_TRUE(dram.written().empty());
  const std::uint8_t bytes[] = {1, 2};
  dram.write(0x80000000, bytes);
  const auto written = dram.written();
  ASSERT_EQ(written.size(), 1u);
  EXPECT_LE(written[0].address, 0x80000000u);
  EXPECT_GE(written[0].address + written[0].bytes, 0x80000002u);
  dram.clear();
  EXPECT_TRUE(dram.written().empty());
  EXPECT_EQ(dram.data()[0x80000000], 0);
}

}  // namespace
}  // namespace tally
