// SPDX-License-Identifier: Apache-2.0
// tally run and tally generate.
#include "tests/cli/commands/program_test.h"
#include "tests/unit/reports/schema.h"

namespace tally::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Run : public Program {
 protected:
  // The result of a command that writes r.json, held to the schema.
  nlohmann::json result(const std::string& arguments) {
    output(arguments + " --json r.json");
    const nlohmann::json value = json("r.json");
    const auto schema =
        nlohmann::json::parse(file_text(TALLY_SOURCE_DIR "/docs/result.schema.json"));
    EXPECT_EQ(schema_error(value, schema), "") << arguments;
    return value;
  }
};

TEST_F(Run, TheReferenceMeasuresAccuracyAlone) {
  const auto value = result("run vit-fashion --backend reference --data fashion-test -n 8");
  EXPECT_EQ(value["accuracy"]["metric"], "top1");
  EXPECT_EQ(value["accuracy"]["samples"], 8);
  EXPECT_EQ(value["accuracy"]["value"], value["accuracy"]["reference"]);
  EXPECT_EQ(value["inferences"], 8);
  EXPECT_TRUE(value["cycles"].is_null());
}

TEST_F(Run, MachinesAgreeOnBitsAcrossBackendsAndDesigns) {
  const std::string rest = " --data fashion-test -n 2";
  const auto functional = result("run vit-fashion --backend functional" + rest);
  const auto sysc = result("run vit-fashion --backend sysc" + rest);
  const auto small = result("run vit-fashion --backend sysc --design small" + rest);
  EXPECT_EQ(functional["output_sha256"], sysc["output_sha256"]);
  EXPECT_EQ(functional["output_sha256"], small["output_sha256"]);
  EXPECT_EQ(functional["program"], sysc["program"]);
  EXPECT_NE(sysc["program"], small["program"]);
  EXPECT_TRUE(functional["cycles"].is_null());
  EXPECT_TRUE(functional["energy"].is_null());
  EXPECT_EQ(small["design"], "small");
}

TEST_F(Run, TimedAccountsBalance) {
  const auto value = result("run vit-fashion --backend sysc --data fashion-test -n 2");
  const std::uint64_t cycles = value["cycles"];
  for (const auto& [name, unit] : value["units"].items())
    EXPECT_EQ(unit["busy"].get<std::uint64_t>() + unit["stalled"].get<std::uint64_t>() +
                  unit["idle"].get<std::uint64_t>(),
              cycles)
        << name;
  EXPECT_GE(cycles * 256, value["macs"].get<std::uint64_t>());
  double units = 0, nodes = 0;
  for (const auto& [name, pj] : value["energy"]["by_unit"].items()) units += pj.get<double>();
  for (const auto& [name, pj] : value["energy"]["by_node"].items()) nodes += pj.get<double>();
  const double total = value["energy"]["total_pj"];
  EXPECT_NEAR(units, total, 1e-6 * total);
  EXPECT_NEAR(nodes, total, 1e-6 * total);
  EXPECT_GT(total, 0);
}

TEST_F(Run, ThreadsChangeNothing) {
  const std::string command = "run vit-fashion --backend functional --data fashion-test -n 5";
  EXPECT_EQ(result(command + " --threads 1")["output_sha256"],
            result(command + " --threads 3")["output_sha256"]);
}

TEST_F(Run, ASeedGivesTheSameRandomInputsAgain) {
  const std::string command = "run vit-fashion --backend functional";
  const auto one = result(command);
  EXPECT_EQ(one["output_sha256"], result(command)["output_sha256"]);
  EXPECT_NE(one["output_sha256"], result(command + " --seed 2")["output_sha256"]);
  EXPECT_TRUE(one["set"].is_null());
  EXPECT_TRUE(one["accuracy"].is_null());
}

TEST_F(Run, PartsOfAModel) {
  const std::string command = "run gpt-mini --backend sysc --sequence 5 ";
  const auto whole = result(command);
  const auto part = result(command + "--layers 1..1");
  EXPECT_LT(part["macs"].get<std::uint64_t>() * 3, whole["macs"].get<std::uint64_t>());
  EXPECT_LT(result(command + "--head last")["macs"], whole["macs"]);
  EXPECT_GT(result("run gpt-mini --backend sysc --decode-at 5")["cycles"], 0);
}

TEST_F(Run, StaticRecipeNamesItsCalibration) {
  const auto value = result(
      "run vit-fashion --backend functional --recipe int8-static --calibrate fashion-train --data "
      "fashion-test -n 2");
  EXPECT_EQ(value["calibration"]["set"], "fashion-train");
  EXPECT_EQ(value["calibration"]["samples"], 64);
  EXPECT_EQ(value["calibration"]["indices_sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(value["recipe"], "int8-static");
}

TEST_F(Run, OutputIsAnArrayOfAllInferences) {
  output("run vit-fashion --backend reference --data fashion-test -n 3 --output y.npy");
  const std::string bytes = file_text(folder_ / "y.npy");
  EXPECT_TRUE(bytes.starts_with("\x93NUMPY"));
  EXPECT_THAT(bytes, HasSubstr("(3, 1, 10)"));
}

TEST_F(Run, ExplainsEnergyByNode) {
  EXPECT_THAT(output("run vit-fashion --explain"), HasSubstr("energy by node, pJ\n"));
}

TEST_F(Run, WrongNamesAreRefused) {
  EXPECT_THAT(refusal("run no-model"), HasSubstr("model 'no-model' is neither in the zoo ("));
  EXPECT_THAT(refusal("run m.onnx"), HasSubstr("m.onnx: .onnx files are not read yet"));
  EXPECT_THAT(refusal("run m.gguf"), HasSubstr("m.gguf: .gguf files are not read yet"));
  EXPECT_EQ(refusal("run vit-fashion --backend cuda"),
            "unknown backend 'cuda' (known: reference, functional, sysc, rtl)\n");
  EXPECT_THAT(refusal("run vit-fashion --design huge"), HasSubstr("design 'huge' is neither"));
  EXPECT_THAT(refusal("run vit-fashion --recipe int3"), HasSubstr("recipe 'int3' is neither"));
  EXPECT_THAT(refusal("run vit-fashion --data cifar"), HasSubstr("cifar: neither a data set ("));
}

TEST_F(Run, DataThatDoNotFitTheModelAreRefused) {
  EXPECT_EQ(refusal("run vit-fashion --data kjv-test -n 1"),
            "data set 'kjv-test' is of task lm, but model 'vit-fashion' of family vit is measured "
            "by task classify\n");
  write("wide.json", R"({"task":"lm","sequences":[[1,256]]})");
  EXPECT_EQ(refusal("run gpt-mini --data wide.json"),
            "data set 'wide.json': sequence 0 holds id 256, the model's vocabulary has 256\n");
  std::string ids = "1";
  for (int i = 0; i < 400; ++i) ids += ",1";
  write("long.json", R"({"task":"lm","sequences":[[)" + ids + "]]}");
  EXPECT_THAT(refusal("run gpt-mini --data long.json"),
              HasSubstr("data set 'long.json': sequence 0 has 401 tokens, the model allows "));
  write("few.json", R"({"task":"classify","inputs":[[1,2]],"labels":[0]})");
  EXPECT_THAT(refusal("run vit-fashion --data few.json"),
              HasSubstr("data set 'few.json': input 0: "));
  std::string pixels = "0";
  for (int i = 1; i < 784; ++i) pixels += ",0";
  write("label.json", R"({"task":"classify","inputs":[[)" + pixels + R"(]],"labels":[10]})");
  EXPECT_EQ(refusal("run vit-fashion --data label.json"),
            "data set 'label.json': label 0 is 10, the model has 10 classes\n");
}

TEST_F(Run, OptionsThatDoNotGoTogetherAreRefused) {
  EXPECT_EQ(refusal("run vit-fashion --sequence 3"),
            "model 'vit-fashion' is an image model: --sequence does not apply\n");
  EXPECT_EQ(refusal("run vit-fashion --decode-at 3"),
            "model 'vit-fashion' is an image model: --decode-at does not apply\n");
  EXPECT_EQ(refusal("run gpt-mini --decode-at 3 --sequence 3"),
            "--decode-at and --sequence exclude each other\n");
  EXPECT_THAT(refusal("run gpt-mini --decode-at 4096"), HasSubstr("--decode-at 4096: model"));
  EXPECT_EQ(refusal("run gpt-mini --sequence 3 --data kjv-test"),
            "--sequence does not go with --data: the data say the length\n");
  EXPECT_EQ(refusal("run gpt-mini --decode-at 3 --data kjv-test"),
            "--decode-at does not go with --data\n");
  EXPECT_EQ(refusal("run gpt-mini --layers 1..2 --data kjv-test"),
            "--layers 1..2: data go in at layer 0\n");
  for (const char* layers : {"1", "1..", "a..b", "1..2x", "..2"})
    EXPECT_EQ(refusal(std::string("run gpt-mini --layers ") + layers),
              std::string("--layers '") + layers + "' is not A..B\n");
  EXPECT_THAT(refusal("run gpt-mini --layers 3..9"),
              HasSubstr("layers 3..9 are not within its 0..3"));
  EXPECT_THAT(refusal("run gpt-mini --sequence 100000"), HasSubstr("longer than the"));
}

TEST_F(Run, CalibrationIsAskedForAndKeptApart) {
  EXPECT_EQ(refusal("run vit-fashion --recipe int8-static"),
            "recipe 'int8-static' needs calibration data: --calibrate SET\n");
  EXPECT_EQ(refusal("run vit-fashion --calibrate fashion-train"),
            "recipe 'int8' takes no calibration data: --calibrate does not apply\n");
  EXPECT_THAT(refusal("run vit-fashion --recipe int8-static --calibrate fashion-test --data "
                      "fashion-test -n 4"),
              HasSubstr("calibration set 'fashion-test' and evaluation set 'fashion-test' share a "
                        "sample (0 and 0)"));
}

TEST_F(Run, ARefusedRunLeavesNoFile) {
  refusal("run vit-fashion --backend reference --data kjv-test --json r.json --output y.npy");
  EXPECT_FALSE(exists("r.json"));
  EXPECT_FALSE(exists("y.npy"));
  write("s.json", R"({"task":"lm","sequences":[[1,2],[1,2,3]]})");
  EXPECT_EQ(refusal("run gpt-mini --backend reference --data s.json --output y.npy --json r.json"),
            "--output: inferences of shapes [2,256] and [3,256] do not fit into one array; use -n "
            "1\n");
  EXPECT_FALSE(exists("y.npy"));
  EXPECT_FALSE(exists("r.json"));
  write("file", "");
  EXPECT_THAT(refusal("run gpt-mini --backend reference --sequence 2 --json file/r.json"),
              HasSubstr("file/r.json: cannot be written"));
}

TEST_F(Run, NumbersOutOfRangeAreRefusedByTheirRange) {
  EXPECT_EQ(refusal("run vit-fashion -n 0"),
            "-n: must be at least 1, not '0' (tally --help lists commands and options)\n");
  EXPECT_EQ(refusal("run vit-fashion -n -3"),
            "-n: must be at least 1, not '-3' (tally --help lists commands and options)\n");
  EXPECT_EQ(
      refusal("run gpt-mini --decode-at -1"),
      "--decode-at: must be at least 0, not '-1' (tally --help lists commands and options)\n");
  EXPECT_EQ(refusal("run vit-fashion --threads 0"),
            "--threads: must be 1 to 1024, not '0' (tally --help lists commands and options)\n");
  EXPECT_EQ(refusal("generate gpt-mini --prompt 999 --tokens 1"),
            "the prompt holds id 999, the vocabulary of model 'gpt-mini' has 256\n");
}

TEST_F(Run, GeneratesTokensStepByStep) {
  const auto value = result("generate gpt-mini --prompt 73,110 --tokens 3 --backend sysc");
  ASSERT_EQ(value["generation"]["ids"].size(), 5U);
  EXPECT_EQ(value["generation"]["ids"][1], 110);
  ASSERT_EQ(value["generation"]["steps"].size(), 3U);
  EXPECT_EQ(value["generation"]["steps"][0]["tokens"], 2);
  std::uint64_t sum = 0;
  for (const auto& step : value["generation"]["steps"]) sum += step["cycles"].get<std::uint64_t>();
  EXPECT_EQ(sum, value["cycles"]);
  EXPECT_EQ(value["inferences"], 3);
}

TEST_F(Run, GenerationAgreesBetweenMachinesAndPrintsIds) {
  const std::string rest = "generate gpt-mini --prompt 73,110 --tokens 2 --backend ";
  EXPECT_EQ(result(rest + "functional")["output_sha256"], result(rest + "sysc")["output_sha256"]);
  EXPECT_THAT(output(rest + "reference"), ::testing::StartsWith("73,110,"));
  EXPECT_THAT(output(rest + "sysc --explain"),
              AllOf(HasSubstr("prefill"), HasSubstr("step 1"), HasSubstr("energy")));
}

TEST_F(Run, GenerationRefusesWrongPrompts) {
  EXPECT_THAT(refusal("generate gpt-mini --prompt 256 --tokens 1 --backend reference"),
              HasSubstr("256"));
  EXPECT_THAT(refusal("generate gpt-mini --prompt -1 --tokens 1 --backend reference"),
              HasSubstr("-1"));
  EXPECT_THAT(refusal("generate gpt-mini --prompt 1 --tokens 100000 --backend reference"),
              HasSubstr("are more than the 128 that it allows"));
  EXPECT_THAT(refusal("generate vit-fashion --prompt 1 --tokens 1 --backend reference"),
              HasSubstr("vit-fashion"));
}

}  // namespace
}  // namespace tally::testing
