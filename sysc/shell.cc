// SPDX-License-Identifier: Apache-2.0
#include "sysc/shell.h"

// Debian builds SystemC as C++17 and checks at link time that its users do, too.
#define SC_CPLUSPLUS 201703L
#include <memory>
#include <mutex>
#include <systemc>
#include <vector>

namespace tally::sysc {
namespace {

class BlockModule : public sc_core::sc_module, public Alarm {
 public:
  SC_HAS_PROCESS(BlockModule);
  explicit BlockModule(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_METHOD(advance);
    sensitive << due_;
    dont_initialize();
  }

  // Runs count their cycles from kernel time `base`.
  void attach(Block* block, std::uint64_t base) {
    block_ = block;
    base_ = base;
    block->attach(this);
    if (block->next() != kNever) set(moment(block->next(), block->phase()));
  }
  void detach() { block_->attach(nullptr); }

  // The kernel keeps the earliest of several notifications of one event.
  void set(Moment moment) override {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    due_.notify(sc_core::sc_time::from_value(base_ + moment - now));
  }

 private:
  void advance() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    block_->advance((now - base_) / kPhases);
  }

  sc_core::sc_event due_;
  Block* block_ = nullptr;
  std::uint64_t base_ = 0;
};

struct Shell {
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::unique_ptr<BlockModule>> modules;  // by block
};

Shell& shell() {
  static Shell* one = new Shell;  // the kernel outlives static destructors
  return *one;
}

void elaborate(Shell* shell, std::span<Block* const> blocks) {
  std::vector<int> order = shell->order;
  for (int i = int(order.size()); i < int(blocks.size()); ++i) order.push_back(i);
  shell->modules.resize(blocks.size());
  for (const int i : order)
    shell->modules[std::size_t(i)] =
        std::make_unique<BlockModule>(blocks[std::size_t(i)]->name().c_str());
}

}  // namespace

void set_module_order(std::span<const int> order) {
  shell().order.assign(order.begin(), order.end());
}

void run_blocks(std::span<Block* const> blocks) {
  Shell& one = shell();
  const std::lock_guard lock(one.mutex);
  if (one.modules.empty()) elaborate(&one, blocks);
  const std::uint64_t base = sc_core::sc_time_stamp().value() + 1;
  for (std::size_t i = 0; i < blocks.size(); ++i) one.modules[i]->attach(blocks[i], base);
  if (sc_core::sc_pending_activity()) sc_core::sc_start();
  for (const auto& module : one.modules) module->detach();
}

}  // namespace tally::sysc

// The library's main, which this process does not use, needs it.
extern "C" __attribute__((visibility("default"))) int sc_main(int, char*[]) { return 1; }
