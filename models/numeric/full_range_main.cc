// SPDX-License-Identifier: Apache-2.0
// tally-full-range [FUNCTION...] [--stride N] [--threads N]: evaluates functions for every N-th of
// the 2^32 operands (default: every one), prints the worst errors, and ends with 1 if one breaks
// its bound.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <thread>
#include <vector>

#include "models/numeric/bits.h"
#include "models/numeric/error_meter.h"
#include "models/numeric/host_check.h"

namespace tally {
namespace {

constexpr uint64_t kOperands = uint64_t{1} << 32;

// Every (stride x threads)-th operand from stride x thread on.
ErrorMeter measure(const FunctionInfo& function, uint64_t stride, uint64_t threads,
                   uint64_t thread) {
  constexpr std::size_t kChunk = 4096;
  ErrorMeter meter(function);
  std::vector<float> x, y(kChunk);
  x.reserve(kChunk);
  for (uint64_t bits = stride * thread; bits < kOperands;) {
    x.clear();
    for (; x.size() < kChunk && bits < kOperands; bits += stride * threads) {
      x.push_back(as_float(static_cast<uint32_t>(bits)));
    }
    function.array(x.data(), y.data(), x.size());
    meter.add(x.data(), y.data(), x.size());
  }
  return meter;
}

ErrorMeter measure(const FunctionInfo& function, uint64_t stride, uint64_t threads) {
  std::vector<ErrorMeter> meters(threads, ErrorMeter(function));
  std::vector<std::thread> workers;
  for (uint64_t i = 0; i < threads; ++i) {
    workers.emplace_back([&, i] { meters[i] = measure(function, stride, threads, i); });
  }
  for (std::thread& worker : workers) worker.join();
  ErrorMeter total(function);
  for (const ErrorMeter& meter : meters) total.merge(meter);
  return total;
}

// True if every bound holds.
bool report(const FunctionInfo& function, const ErrorMeter& meter) {
  bool good = true;
  for (std::size_t i = 0; i < meter.ranges().size(); ++i) {
    const RangeError& range = meter.ranges()[i];
    good = good && range.violations == 0;
    if (i < function.bounds.size()) {
      const ErrorBound& bound = function.bounds[i];
      fmt::print("{:<10} [{}, {}] {} values: {:.4f} ulp at {:a}, absolute {:.4g} at {:a}\n",
                 function.name, bound.low, bound.high, range.values, range.ulps, range.ulps_at,
                 range.absolute, range.absolute_at);
    } else {
      fmt::print("{:<10} NaN {} values\n", function.name, range.values);
    }
    if (range.violations > 0) {
      fmt::print("{:<10} BOUND BROKEN for {} values, one is {:a}\n", function.name,
                 range.violations, range.violation_at);
    }
  }
  std::fflush(stdout);
  return good;
}

int run(const std::vector<std::string>& names, uint64_t stride, uint64_t threads) {
  if (const Status status = check_host_arithmetic(); !status) {
    fmt::print(stderr, "{}\n", status.error().message);
    return 2;
  }
  std::vector<FunctionInfo> chosen;
  for (const std::string& name : names) {
    const std::optional<FunctionInfo> function = find_function(name);
    if (!function) {
      fmt::print(stderr, "no function is called {}\n", name);
      return 2;
    }
    chosen.push_back(*function);
  }
  if (names.empty()) chosen.assign(functions().begin(), functions().end());
  bool good = true;
  for (const FunctionInfo& function : chosen) {
    good = report(function, measure(function, stride, threads)) && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  CLI::App app("Errors of the vector functions over the whole range of binary32");
  std::vector<std::string> names;
  uint64_t stride = 1, threads = 2;
  app.add_option("FUNCTION", names, "functions (all)");
  app.add_option("--stride", stride, "take every N-th operand")->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "threads")->check(CLI::Range(1, 64));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  return tally::run(names, stride, threads);
}
