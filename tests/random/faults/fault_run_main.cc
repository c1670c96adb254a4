// SPDX-License-Identifier: Apache-2.0
// fault-run [LIST ROOT NAME]: whether at most 2,000 random programs find a seeded fault. With
// arguments the fault is in the RTL, which is copied, changed, Verilated and compared with the
// native model; without, it has been compiled into this program's native model, which is compared
// with the Verilated RTL. Exit status 0: found; 1: not found; 2: failed.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "models/verify/verify.h"
#include "sysc/sysc_machine.h"
#include "sysc/verilated/rtl_machine.h"
#include "tests/random/faults/fault_list.h"
#include "tests/support/designs.h"

namespace {

namespace fs = std::filesystem;
using namespace tally;

constexpr std::uint64_t kPrograms = 2000;

Expected<test::SeededFault> find_fault(const std::string& list, const std::string& name) {
  TALLY_ASSIGN(const std::vector<test::SeededFault> faults, test::read_faults(list));
  for (const test::SeededFault& fault : faults)
    if (fault.name == name) return fault;
  return fail("no fault '{}'", name);
}

// A copy of rtl/ with the change made.
Status copy_rtl(const test::SeededFault& fault, const std::string& root, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  fs::copy(fs::path(root) / "rtl", to / "rtl", fs::copy_options::recursive, error);
  if (error) return fail("{}: {}", to.string(), error.message());
  TALLY_ASSIGN(const std::string text, test::apply_fault(fault, root));
  std::ofstream file(to / fault.file, std::ios::binary);
  file << text;
  if (!file.flush()) return fail("{}: cannot be written", (to / fault.file).string());
  return {};
}

Expected<RandomReport> run(const std::string& rtl_directory) {
  const Design design = test::test_design("faults");
  std::vector<std::unique_ptr<Machine>> machines;
  machines.push_back(make_sysc_machine(design));
  TALLY_ASSIGN(auto rtl,
               make_rtl_machine(
                   design, {.progress = {}, .rtl_directory = rtl_directory, .quick_build = true}));
  machines.push_back(std::move(rtl));
  Verifier verifier(design, std::move(machines));
  RandomOptions options;
  options.programs = kPrograms;
  options.seed = 7;
  options.shrink = false;
  return verify_random({&verifier}, options);
}

Expected<RandomReport> run_rtl_fault(char** argv) {
  TALLY_ASSIGN(const test::SeededFault fault, find_fault(argv[1], argv[3]));
  const fs::path folder = fs::temp_directory_path() / ("tally-fault-" + std::to_string(getpid()));
  // Its own cache: the model is of no use afterwards.
  setenv("TALLY_CACHE", (folder / "cache").c_str(), 1);
  auto report = Expected<RandomReport>(fail("not run"));
  if (const Status status = copy_rtl(fault, argv[2], folder); !status)
    report = tl::unexpected(status.error());
  else
    report = run((folder / "rtl").string());
  std::error_code error;
  fs::remove_all(folder, error);
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 4) return 2;
  const auto report = argc == 4 ? run_rtl_fault(argv) : run("");
  if (!report) {
    std::fprintf(stderr, "%s\n", report.error().message.c_str());
    return 2;
  }
  if (!report->difference) {
    std::printf("not found by %llu programs\n", static_cast<unsigned long long>(report->programs));
    return 1;
  }
  std::printf("found by program %llu: %s\n", static_cast<unsigned long long>(report->failing_index),
              report->difference->message.c_str());
  return 0;
}
