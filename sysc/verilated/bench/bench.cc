// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/bench/bench.h"

#include <verilated.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "Vtally_top.h"

#ifdef TALLY_WAVEFORM
#include <verilated_fst_c.h>
#else
class VerilatedFstC {};
#endif

namespace tally::rtl {
namespace {

// Verilator holds every port as little-endian 32-bit words.
template <class Port>
const std::uint8_t* bytes_of(const Port& port) {
  return reinterpret_cast<const std::uint8_t*>(&port);
}

std::uint64_t bits_at(const std::uint8_t* bytes, int lsb, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i) {
    const int bit = lsb + i;
    value |= std::uint64_t(bytes[bit / 8] >> bit % 8 & 1) << i;
  }
  return value;
}

bool bit_of(const std::uint8_t* bytes, std::size_t index) {
  return bytes[index / 8] >> index % 8 & 1;
}

void set_error(Reply* reply, const std::string& message) {
  std::strncpy(reply->error, message.c_str(), sizeof reply->error - 1);
}

}  // namespace

Bench::Bench(const Design& design)
    : design_(design),
      width_(std::size_t(
          std::max({4 * design.lanes, design.rows, design.columns, design.port_bytes}))),
      context_(std::make_unique<VerilatedContext>()),
      memory_(design),
      trace_({design.activations.bytes(), design.weights.bytes(), design.accumulators.bytes()}) {
#ifdef TALLY_WAVEFORM
  context_->traceEverOn(true);
#endif
  top_ = std::make_unique<Vtally_top>(context_.get(), "tally_top");
}

Bench::~Bench() { top_->final(); }

void Bench::begin(const Request& request, std::uint8_t* dram) {
  request_ = request;
  dram_ = dram;
  reply_ = {};
  waiting_.clear();
  now_ = 0;
  memory_.reset(dram, request.stall_seed);
  trace_.reset(request.program.instructions, request.records, request.hashes);
  open_waveform();
  reset();
}

bool Bench::step() {
  if (request_.cycle_limit != 0 && now_ > request_.cycle_limit)
    set_error(&reply_,
              "the run takes more than " + std::to_string(request_.cycle_limit) + " cycles");
  if (reply_.error[0] == 0) cycle(now_);
  if (reply_.error[0] == 0 && !top_->done_o) {
    clock_edge();
    ++now_;
    return true;
  }
  if (reply_.error[0] == 0) collect();
  waveform_.reset();
  return false;
}

void Bench::reset() {
  top_->clk_i = 0;
  top_->rst_ni = 1;
  top_->start_i = 0;
  top_->ar_ready_i = 1;
  top_->aw_ready_i = 1;
  drive_inputs({});
  top_->eval();
  top_->rst_ni = 0;
  top_->eval();
  for (int i = 0; i < 2; ++i) {
    clock_edge();
    top_->eval();
  }
  top_->rst_ni = 1;
  top_->start_i = 1;
  top_->program_address_i = request_.program.code_address;
  top_->instruction_count_i = request_.program.instructions;
  top_->program_hash_i = request_.program.design_hash;
  auto* bases = reinterpret_cast<std::uint8_t*>(&top_->base_i);
  for (std::size_t i = 0; i < isa::kBaseRegisters; ++i)
    std::memcpy(bases + 5 * i, &request_.program.bases[i], 5);  // 40 bits
  top_->eval();
  clock_edge();
  top_->start_i = 0;
}

// Settles the cycle's combinational values from registers and inputs and takes what happens in it.
void Bench::cycle(std::uint64_t now) {
  const AxiMemory::Drive drive = memory_.drive(now);
  drive_inputs(drive);
  top_->eval();
  dump(2 * now);
  if (top_->done_o) return;
  take_retirements(now);
  if (trace_.hashes()) take_writes();
  take_write(drive);
  take_requests(now);
}

void Bench::drive_inputs(const AxiMemory::Drive& drive) {
  top_->r_valid_i = drive.read;
  top_->w_ready_i = drive.write;
  top_->b_valid_i = drive.response;
  if (drive.read) {
    top_->r_id_i = drive.read_load;
    top_->r_last_i = drive.read_last;
    top_->r_resp_i = drive.read_error ? 2 : 0;  // SLVERR
    const auto size = std::size_t(design_.port_bytes);
    if (drive.read_data != nullptr)
      std::memcpy(&top_->r_data_i, drive.read_data, size);
    else
      std::memset(&top_->r_data_i, 0, size);
  }
  if (drive.response) top_->b_resp_i = drive.response_error ? 2 : 0;
}

void Bench::take_requests(std::uint64_t now) {
  if (top_->ar_valid_o && top_->aw_valid_o) set_error(&reply_, "two addresses in one cycle");
  if (top_->ar_valid_o)
    memory_.accept(now, false, top_->ar_id_o, top_->ar_addr_o, int(top_->ar_len_o) + 1);
  else if (top_->aw_valid_o)
    memory_.accept(now, true, false, top_->aw_addr_o, int(top_->aw_len_o) + 1);
}

void Bench::take_write(const AxiMemory::Drive& drive) {
  if (!drive.write) return;
  if (!top_->w_valid_o) set_error(&reply_, "a write beat is due and the machine offers none");
  if (drive.write_data == nullptr) return;  // refused
  const std::uint8_t* data = bytes_of(top_->w_data_o);
  const std::uint8_t* strobe = bytes_of(top_->w_strb_o);
  for (std::size_t i = 0; i < std::size_t(design_.port_bytes); ++i) {
    if (!bit_of(strobe, i)) continue;
    drive.write_data[i] = data[i];
    if (trace_.hashes())
      trace_.write(kHashSpaceDram, drive.write_address + i, data[i], top_->store_beat_seq_o);
  }
}

void Bench::take_retirements(std::uint64_t now) {
  if (!(top_->start_valid_o | top_->end_valid_o)) return;
  for (int unit = 1; unit < isa::kUnits; ++unit) {
    if (top_->start_valid_o >> (unit - 1) & 1)
      trace_.start(isa::Unit(unit), top_->start_seq_o[std::size_t(unit - 1)], now);
    if (top_->end_valid_o >> (unit - 1) & 1)
      trace_.end(top_->end_seq_o[std::size_t(unit - 1)], now);
  }
}

void Bench::take_writes() {
  if (top_->load_write_valid_o) {
    const std::uint8_t* data = bytes_of(top_->load_write_data_o);
    for (std::size_t i = 0; i < std::size_t(design_.port_bytes); ++i)
      trace_.write(top_->load_write_space_o, top_->load_write_address_o + i, data[i],
                   top_->load_write_seq_o);
  }
  if (top_->vector_write_valid_o) {
    const std::uint8_t* data = bytes_of(top_->vector_write_data_o);
    const std::uint8_t* strobe = bytes_of(top_->vector_write_strobe_o);
    for (std::size_t i = 0; i < width_; ++i)
      if (bit_of(strobe, i))
        trace_.write(top_->vector_write_space_o, top_->vector_write_address_o + i, data[i],
                     top_->vector_write_seq_o);
  }
  if (top_->accumulator_write_valid_o) {
    const std::uint8_t* data = bytes_of(top_->accumulator_write_data_o);
    const std::uint8_t* mask = bytes_of(top_->accumulator_write_mask_o);
    const std::uint64_t row =
        std::uint64_t(top_->accumulator_write_row_o) * 4 * std::uint64_t(design_.columns);
    for (std::size_t i = 0; i < 4 * std::size_t(design_.columns); ++i)
      if (bit_of(mask, i / 4))
        trace_.write(std::uint64_t(isa::Space::kAccumulators), row + i, data[i],
                     top_->accumulator_write_seq_o);
  }
}

// The edge that ends a cycle.
void Bench::clock_edge() {
  top_->clk_i = 1;
  top_->eval();
  dump(2 * now_ + 1);
  top_->clk_i = 0;
}

std::uint64_t Bench::counter(int index) const {
  return bits_at(bytes_of(top_->counters_o), 48 * index, 48);
}

// In the order of tally_pkg::counters_t, least significant first.
void Bench::collect() {
  reply_.outcome = Outcome(top_->outcome_o);
  if (reply_.outcome == Outcome::kFault)
    reply_.fault = {FaultCode(top_->fault_code_o), isa::Unit(top_->fault_unit_o), top_->fault_seq_o,
                    top_->fault_cycle_o};
  reply_.cycles = top_->cycle_o;
  if (top_->cycle_o != now_)
    set_error(&reply_, "the machine's cycle counter differs from the bench's");
  int at = 0;
  Events& events = reply_.events;
  for (auto& count : events.beats) count = counter(at++);
  for (auto& count : events.bursts) count = counter(at++);
  for (auto& count : events.instructions) count = counter(at++);
  for (auto& count : events.vector_operations) count = counter(at++);
  for (auto* count : {&events.accumulator_writes, &events.accumulator_reads, &events.weight_writes,
                      &events.weight_reads, &events.activation_writes, &events.activation_reads,
                      &events.multiplications})
    *count = counter(at++);
  for (auto& unit : reply_.units) unit.idle = counter(at++);
  for (auto& unit : reply_.units) unit.stalled = counter(at++);
  for (auto& unit : reply_.units) unit.busy = counter(at++);
  if (counter(at) != reply_.cycles)
    set_error(&reply_, "the cycle event counter differs from the cycle");
  if (top_->config_hash_o != request_.program.design_hash &&
      reply_.fault.code != FaultCode::kConfiguration)
    set_error(&reply_, "a program for another design was run");
  reply_.dram = memory_.counters(reply_.cycles);
  if (reply_.outcome == Outcome::kDeadlock) find_waiting();
}

// Heads of the queues, each with the first semaphore it waits for that is 0.
void Bench::find_waiting() {
  for (int unit = 1; unit < isa::kUnits; ++unit) {
    if (!(top_->head_valid_o >> (unit - 1) & 1)) continue;
    const std::uint32_t sequence = top_->head_seq_o[std::size_t(unit - 1)];
    isa::Bytes32 bytes;
    std::memcpy(bytes.data(), dram_ + request_.program.code_address + 32 * std::uint64_t(sequence),
                32);
    const isa::Word256 word = std::bit_cast<isa::Word256>(bytes);
    int missing = -1;
    for (int slot = isa::kSlots - 1; slot >= 0; --slot) {
      const auto wait = std::uint32_t(word[0] >> (isa::kWaitLsb + slot * isa::kSlotBits)) & 63;
      if ((wait & 32) && bytes_of(top_->semaphore_count_o)[wait & 31] == 0)
        missing = int(wait & 31);
    }
    waiting_.push_back({isa::Unit(unit), sequence, missing});
  }
}

#ifdef TALLY_WAVEFORM
void Bench::open_waveform() {
  if (request_.waveform[0] == 0) return;
  waveform_ = std::make_unique<VerilatedFstC>();
  top_->trace(waveform_.get(), 99);
  waveform_->open(request_.waveform);
  if (!waveform_->isOpen())
    set_error(&reply_, std::string(request_.waveform) + ": cannot be written");
}

void Bench::dump(std::uint64_t time) {
  if (waveform_ && time / 2 >= request_.waveform_from && time / 2 <= request_.waveform_to)
    waveform_->dump(time);
}
#else
void Bench::open_waveform() {}
void Bench::dump(std::uint64_t) {}
#endif

}  // namespace tally::rtl
