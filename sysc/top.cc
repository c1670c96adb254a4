// SPDX-License-Identifier: Apache-2.0
#include "sysc/top.h"

namespace tally::sysc {

Top::Top(const Design& design, const MachineProgram& program,
         std::span<const isa::Instruction> code, const RunOptions& options, DramImage* dram)
    : dram_(design, options.stall_seed),
      memories_(design),
      log_(options.records),
      hash_(options.records && options.hashes ? std::make_unique<WriteHash>(memories_) : nullptr),
      arbiter_(&dram_, design.port_bytes, &log_),
      semaphores_(&log_),
      context_{design, program, *dram, memories_, log_, hash_.get(), semaphores_, arbiter_},
      load_(context_),
      store_(context_),
      matrix_(context_),
      vector_(context_),
      fetch_(code, {nullptr, &load_, &store_, &matrix_, &vector_}, context_) {}

std::array<Block*, kBlocks> Top::blocks() {
  return {&arbiter_, &load_, &store_, &matrix_, &vector_, &semaphores_, &fetch_};
}

bool Top::finished() const {
  for (const Unit* unit : {static_cast<const Unit*>(&load_), static_cast<const Unit*>(&store_),
                           static_cast<const Unit*>(&matrix_), static_cast<const Unit*>(&vector_)})
    if (unit->head() != nullptr) return false;
  return fetch_.all_dispatched();
}

std::vector<Waiting> Top::waiting() const {
  std::vector<Waiting> heads;
  for (const Unit* unit :
       {static_cast<const Unit*>(&load_), static_cast<const Unit*>(&store_),
        static_cast<const Unit*>(&matrix_), static_cast<const Unit*>(&vector_)}) {
    if (unit->head() == nullptr) continue;
    for (const std::int8_t semaphore : unit->head()->instruction->sync.waits) {
      if (semaphore < 0 || semaphores_.count(semaphore) > 0) continue;
      heads.push_back({unit->id(), unit->head()->sequence, semaphore});
      break;
    }
  }
  return heads;
}

RunResult Top::result() {
  RunResult result;
  result.cycles = log_.end();
  if (log_.first_fault()) {
    result.outcome = Outcome::kFault;
    result.fault = *log_.first_fault();
  } else if (!finished()) {
    result.outcome = Outcome::kDeadlock;
    result.waiting = waiting();
  }
  result.units = {fetch_.cycles(result.cycles), load_.cycles(result.cycles),
                  store_.cycles(result.cycles), matrix_.cycles(result.cycles),
                  vector_.cycles(result.cycles)};
  result.events = log_.events;
  result.dram = dram_.counters(result.cycles);
  result.records = log_.take_records();
  return result;
}

}  // namespace tally::sysc
