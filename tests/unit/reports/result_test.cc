// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "reports/accounts.h"
#include "reports/host.h"
#include "reports/result_json.h"
#include "tests/unit/reports/schema.h"

namespace tally {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kSource = TALLY_SOURCE_DIR;

json schema() { return json::parse(std::ifstream(kSource + "/docs/result.schema.json")); }

Design base() { return *load_design(kSource + "/designs/base.toml"); }

// A result whose accounts balance on `base`.
Result timed() {
  Result result;
  result.program = std::string(64, 'a');
  result.model = "m";
  result.design = "base";
  result.recipe = "int8";
  result.backend = "sysc";
  result.seed = 7;
  result.inferences = 2;
  result.set = "fashion-test";
  result.accuracy = Accuracy{"top1", 0.75, 0.8, 4};
  result.timing = Timing{1000, 1000, 256, {}, 4096};
  result.timing->units.fill({100, 200, 700});
  result.work = Work{25600, 10, {}};
  result.work->dram.requested_read_bytes = result.work->dram.read_bytes = 3072;
  result.work->dram.requested_write_bytes = result.work->dram.write_bytes = 1024;
  result.energy = Energy{3, {{"matrix", 1}, {"dram", 2}}, {{"h.0", 3}}, "45nm", "paper"};
  result.calibration = CalibrationSource{"fashion-train", "00", 64};
  result.generation = Generation{{1, 2, 3}, {{2, 900}, {1, std::nullopt}}};
  result.output_sha256 = std::string(64, 'b');
  result.host = HostMeter().measure();
  return result;
}

TEST(ResultJson, AFullResultFollowsTheSchema) {
  const json value = json::parse(result_json(timed()));
  EXPECT_EQ(schema_error(value, schema()), "");
  EXPECT_EQ(value["cycles"], 1000);
  EXPECT_EQ(value["seconds"], 1e-6);
  EXPECT_EQ(value["utilization"], 0.1);
  EXPECT_EQ(value["units"]["matrix"]["stalled"], 200);
  EXPECT_EQ(value["energy"]["by_unit"]["dram"], 2);
  EXPECT_EQ(value["generation"]["steps"][0]["cycles"], 900);
  EXPECT_TRUE(value["generation"]["steps"][1]["cycles"].is_null());
  EXPECT_EQ(value["host"]["peak_rss_bytes"].get<std::int64_t>() > 0, true);
}

TEST(ResultJson, AReferenceResultHasNullsInTheSameKeys) {
  Result result;
  result.model = "m";
  result.backend = "reference";
  const json value = json::parse(result_json(result));
  EXPECT_EQ(schema_error(value, schema()), "");
  EXPECT_TRUE(value["cycles"].is_null());
  EXPECT_TRUE(value["program"].is_null());
  EXPECT_EQ(value.size(), json::parse(result_json(timed())).size());
}

TEST(ResultJson, ValuesThatAreNotFiniteAreNull) {
  Result result = timed();
  result.accuracy->value = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(json::parse(result_json(result))["accuracy"]["value"].is_null());
}

TEST(Schema, TheCheckerFindsWrongValues) {
  json value = json::parse(result_json(timed()));
  const auto changed = [&](const char* key, json other) {
    json copy = value;
    copy[key] = std::move(other);
    return schema_error(copy, schema());
  };
  EXPECT_THAT(changed("cycles", -1), HasSubstr("minimum"));
  EXPECT_THAT(changed("cycles", 1.5), HasSubstr("not of type"));
  EXPECT_THAT(changed("utilization", 1.01), HasSubstr("maximum"));
  EXPECT_THAT(changed("extra", 1), HasSubstr("unknown key extra"));
  EXPECT_THAT(changed("accuracy", {{"metric", "f1"}}), HasSubstr("lacks"));
  EXPECT_THAT(changed("notes", {1}), HasSubstr("notes[]"));
  value.erase("host");
  EXPECT_THAT(schema_error(value, schema()), HasSubstr("lacks \"host\""));
}

TEST(Accounts, ABalancedResultPasses) {
  const Status status = check_accounts(timed(), base());
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_TRUE(check_accounts(Result(), base()));
}

// Each change breaks one account.
std::string broken(void (*change)(Result&)) {
  Result result = timed();
  change(result);
  const Status status = check_accounts(result, base());
  EXPECT_FALSE(status);
  return status ? "" : status.error().message;
}

TEST(Accounts, EachViolationIsNamed) {
  EXPECT_EQ(broken([](Result& r) { r.timing->units[3].idle -= 1; }),
            "account of unit matrix: busy + stalled + idle = 999, cycles = 1000");
  EXPECT_EQ(broken([](Result& r) { r.work->macs = 256001; }),
            "account of products: 1000 cycles for 256001 products, bound: 1001 cycles");
  EXPECT_THAT(broken([](Result& r) { r.work->dram.read_bytes = 1'000'000; }),
              HasSubstr("account of DRAM bytes: 1000 cycles, bound: "));
  EXPECT_THAT(broken([](Result& r) { r.timing->bus_bytes = 16'016; }),
              HasSubstr("account of DRAM bytes: 1000 cycles, bound: 1001"));
  EXPECT_EQ(broken([](Result& r) { r.work->dram.read_bytes = 3071; }),
            "account of read bytes: requested 3072, DRAM 3071");
  EXPECT_EQ(broken([](Result& r) { r.work->dram.write_bytes = 1023; }),
            "account of written bytes: requested 1024, DRAM 1023");
  EXPECT_EQ(broken([](Result& r) { r.timing->bus_bytes = 4095; }),
            "account of bus bytes: requested 4096, bus 4095");
  EXPECT_EQ(broken([](Result& r) { r.energy->by_unit["dram"] = 2.1; }),
            "account of energy: parts by_unit sum to 3.1 pJ, total 3 pJ");
  EXPECT_EQ(broken([](Result& r) { r.energy->by_node["h.0"] = 2; }),
            "account of energy: parts by_node sum to 2 pJ, total 3 pJ");
  EXPECT_EQ(broken([](Result& r) {
              r.energy->by_node["h.0"] = 4;
              r.energy->by_node["h.1"] = -1;
            }),
            "account of energy: by_node 'h.1' is -1 pJ");
}

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("tally-write-{}", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(WriteFile, MakesFoldersAndLeavesNothingElse) {
  const auto path = folder_ / "a" / "b.json";
  ASSERT_TRUE(write_file(path, "old"));
  ASSERT_TRUE(write_file(path, "new"));
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "a"), {}), 1);
}

TEST_F(WriteFile, AFailureNamesThePathAndLeavesNoFile) {
  EXPECT_EQ(write_file(folder_, "x").error().message,
            folder_.string() + ": cannot be written (a folder)");
  std::ofstream(folder_ / "file") << "x";
  const std::string below = folder_ / "file" / "b.json";
  EXPECT_EQ(write_file(below, "x").error().message, below + ": cannot be written");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace tally
