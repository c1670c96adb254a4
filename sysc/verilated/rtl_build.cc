// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/rtl_build.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "models/base/sha256.h"
#include "sysc/verilated/process.h"

namespace tally::rtl {
namespace {

namespace fs = std::filesystem;

constexpr int kVerilatorMajor = 5, kVerilatorMinor = 6;  // 5.006, Debian 12's
const char* const kBenchSources[] = {
    "sysc/verilated/bench/main.cc",  "sysc/verilated/bench/top.cc",
    "sysc/verilated/bench/bench.cc", "sysc/verilated/bench/axi_memory.cc",
    "sysc/verilated/bench/link.cc",  "sysc/verilated/bench/trace.cc",
    "models/dram/dram.cc",           "models/dram/dram_device.cc",
    "models/dram/dram_stalls.cc",    "models/base/error.cc"};
// Headers that the bench includes, so that the key covers them.
const char* const kBenchHeaders[] = {
    "sysc/verilated/protocol.h",   "sysc/verilated/bench/bench.h",
    "sysc/verilated/bench/top.h",  "sysc/verilated/bench/axi_memory.h",
    "sysc/verilated/bench/link.h", "sysc/verilated/bench/trace.h",
    "models/dram/dram.h",          "models/dram/dram_device.h",
    "models/dram/dram_kinds.h",    "models/dram/dram_stalls.h",
    "models/base/error.h",         "models/machine/machine.h",
    "compiler/design/design.h",    "compiler/isa/isa.h",
    "compiler/isa/isa_table.h",    "compiler/isa/gen/instructions.h"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Expected<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("{}: cannot be read", path.string());
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class LockedFile {
 public:
  explicit LockedFile(const std::string& path)
      : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~LockedFile() {
    if (file_ >= 0) close(file_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  bool ok() const { return file_ >= 0; }

 private:
  int file_;
};

class Builder {
 public:
  Builder(const Design& design, const RtlOptions& options, bool waveform)
      : design_(design), options_(options), waveform_(waveform), root_(TALLY_ROOT) {
    optimise_ = options.quick_build ? "-O0" : "-O2";
    rtl_ = options.rtl_directory;
    if (rtl_.empty()) rtl_ = environment("TALLY_RTL_DIR");
    if (rtl_.empty()) rtl_ = root_ / "rtl";
    const std::string named = environment("VERILATOR");
    verilator_ = named.empty() ? "verilator" : named;
  }

  Expected<std::string> build() {
    TALLY_TRY(read_verilator_version());
    TALLY_ASSIGN(const std::string key, content_key());
    const fs::path directory = fs::path(cache_directory()) / "rtl";
    const fs::path entry = directory / key, bench = entry / "bench";
    if (fs::exists(bench)) return bench.string();
    std::error_code error;
    fs::create_directories(directory, error);
    const LockedFile lock((directory / (key + ".lock")).string());
    if (!lock.ok()) return fail("{}: cannot be written", directory.string());
    if (fs::exists(bench)) return bench.string();
    TALLY_TRY(build_into(entry));
    return bench.string();
  }

 private:
  // "Verilator 5.006 2023-01-22 rev ..."
  Status read_verilator_version() {
    TALLY_ASSIGN(const CommandResult result, run_command({verilator_, "--version"}));
    int major = 0, minor = 0;
    if (std::sscanf(result.output.c_str(), "Verilator %d.%d", &major, &minor) != 2)
      return fail("'{} --version' does not name a version", verilator_);
    if (major < kVerilatorMajor || (major == kVerilatorMajor && minor < kVerilatorMinor))
      return fail("'{}' is version {}.{:03}, wanted is {}.{:03} or newer", verilator_, major, minor,
                  kVerilatorMajor, kVerilatorMinor);
    version_ = result.output;
    return {};
  }

  Expected<std::string> content_key() {
    Sha256 sha;
    const auto add = [&](const std::string& text) {
      const std::string sized = std::to_string(text.size()) + "\n" + text;
      sha.update(sized.data(), sized.size());
    };
    for (const auto& [name, value] : design_.hardware_keys()) add(name + "=" + value);
    add(version_);
    add(optimise_);
    add(waveform_ ? "waveform" : "plain");
    TALLY_ASSIGN(const std::vector<fs::path> sources, rtl_sources());
    for (const fs::path& path : sources) {
      TALLY_ASSIGN(const std::string text, read_file(path));
      add(fs::relative(path, rtl_).string());
      add(text);
    }
    for (const char* path : kBenchSources) {
      TALLY_ASSIGN(const std::string text, read_file(root_ / path));
      add(text);
    }
    for (const char* path : kBenchHeaders) {
      TALLY_ASSIGN(const std::string text, read_file(root_ / path));
      add(text);
    }
    return sha.hex().substr(0, 40);
  }

  Expected<std::vector<fs::path>> rtl_sources() const {
    std::vector<fs::path> out;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(rtl_, error)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".sv" || extension == ".svh" || extension == ".vlt" || extension == ".f")
        out.push_back(entry.path());
    }
    if (!fs::exists(rtl_ / "tally.f"))
      return fail("{}: no RTL sources (tally.f); TALLY_RTL_DIR names their folder", rtl_.string());
    std::sort(out.begin(), out.end());
    return out;
  }

  Status build_into(const fs::path& entry) {
    const fs::path temporary = entry.string() + ".tmp";  // the lock is ours
    std::error_code error;
    fs::remove_all(temporary, error);  // of a build that was cut off
    fs::create_directories(temporary, error);
    const Status status = compile(temporary);
    if (status) {
      // Only what is needed stays.
      fs::rename(temporary / "Vtally_top", temporary / "bench", error);
      for (const auto& file : fs::directory_iterator(temporary, error))
        if (file.path().filename() != "bench") fs::remove_all(file.path(), error);
      fs::remove_all(entry, error);
      fs::rename(temporary, entry, error);
      if (error) return fail("{}: cannot be written: {}", entry.string(), error.message());
    }
    fs::remove_all(temporary, error);
    return status;
  }

  Status compile(const fs::path& directory) {
    say(fmt::format("design '{}': Verilating the RTL (first use)", design_.name));
    TALLY_TRY(must_succeed(verilate_command(directory), "Verilator"));
    const unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    say(fmt::format("design '{}': compiling the Verilated model", design_.name));
    return must_succeed(
        {"make", "-C", directory.string(), "-f", "Vtally_top.mk", "-j", std::to_string(jobs),
         "OPT_FAST=" + optimise_, "OPT_SLOW=" + std::string(options_.quick_build ? "-O0" : "-O1"),
         "OPT_GLOBAL=" + optimise_},
        "the C++ compiler");
  }

  Status must_succeed(const std::vector<std::string>& command, const std::string& tool) const {
    TALLY_ASSIGN(const CommandResult result, run_command(command));
    if (result.status == 0) return {};
    return fail("design '{}': {} refused the RTL model:\n{}", design_.name, tool,
                last_lines(result.output, 20));
  }

  std::vector<std::string> verilate_command(const fs::path& directory) const {
    const std::string flags =
        fmt::format("-std=c++20 -I{} -DSC_CPLUSPLUS=201703L -DVL_TIME_CONTEXT -ffp-contract=off{}",
                    root_.string(), waveform_ ? " -DTALLY_WAVEFORM" : "");
    std::vector<std::string> command = {
        verilator_,     "--cc",           "--exe",  "--prefix",         "Vtally_top",
        "--top-module", "tally_top",      "--Mdir", directory.string(), "--assert",
        "-O3",          "--x-assign",     "fast",   "--x-initial",      "fast",
        "-Wno-fatal",   "--output-split", "20000",  "-CFLAGS",          flags,
        "-LDFLAGS",     "-lsystemc -lfmt"};
    if (waveform_) command.push_back("--trace-fst");
    for (const auto& [name, value] : parameters()) command.push_back("-G" + name + "=" + value);
    command.push_back((rtl_ / "lint.vlt").string());
    command.insert(command.end(), {"-F", (rtl_ / "tally.f").string()});
    for (const char* source : kBenchSources) command.push_back((root_ / source).string());
    return command;
  }

  std::vector<std::pair<std::string, std::string>> parameters() const {
    const auto text = [](std::int64_t value) { return std::to_string(value); };
    const Design& d = design_;
    return {{"Rows", text(d.rows)},
            {"Columns", text(d.columns)},
            {"Lanes", text(d.lanes)},
            {"VectorLatency", text(d.vector_latency)},
            {"DivideBits", text(d.divide_bits)},
            {"ActivationBanks", text(d.activations.banks)},
            {"ActivationBankBytes", text(d.activations.bank_bytes)},
            {"WeightBanks", text(d.weights.banks)},
            {"WeightBankBytes", text(d.weights.bank_bytes)},
            {"AccumulatorBanks", text(d.accumulators.banks)},
            {"AccumulatorBankBytes", text(d.accumulators.bank_bytes)},
            {"PortBytes", text(d.port_bytes)},
            {"LoadOutstanding", text(d.load_outstanding)},
            {"StoreOutstanding", text(d.store_outstanding)},
            {"FetchBuffers", text(d.fetch_buffers)},
            {"FetchBurstBytes", text(d.fetch_burst_bytes)},
            {"LoadQueue", text(d.load_queue)},
            {"StoreQueue", text(d.store_queue)},
            {"MatrixQueue", text(d.matrix_queue)},
            {"VectorQueue", text(d.vector_queue)},
            {"ConfigHash", fmt::format("64'h{:016x}", d.hash())}};
  }

  void say(const std::string& message) const {
    if (options_.progress) options_.progress(message);
  }

  const Design& design_;
  const RtlOptions& options_;
  bool waveform_;
  fs::path root_, rtl_;
  std::string verilator_, version_, optimise_;
};

}  // namespace

std::string cache_directory() {
  if (const std::string named = environment("TALLY_CACHE"); !named.empty()) return named;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/tally";
  const std::string home = environment("HOME");
  return (home.empty() ? fs::temp_directory_path().string() : home + "/.cache") + "/tally";
}

Expected<std::string> build_bench(const Design& design, const RtlOptions& options, bool waveform) {
  return Builder(design, options, waveform).build();
}

}  // namespace tally::rtl
