// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <unistd.h>

#include <iostream>

namespace tally::cli {
namespace {

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)), terminal_(on_terminal()), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::update(std::int64_t done, std::int64_t total) {
  const auto now = Clock::now();
  if (!terminal_ || done == 0 || now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = elapsed / static_cast<double>(done) * static_cast<double>(total - done);
  std::cerr << fmt::format("\r\033[K{}: {} of {}, {:.0f} s left", what_, done, total, left)
            << std::flush;
  shown_ = true;
}

measure::Progress progress(const std::string& what) {
  if (!on_terminal()) return {};
  const auto line = std::make_shared<ProgressLine>(what);
  return [line](std::int64_t done, std::int64_t total) { line->update(done, total); };
}

measure::BuildProgress build_progress() {
  if (!on_terminal()) return {};
  return [](const std::string& message) { std::cerr << message << "\n"; };
}

}  // namespace tally::cli
