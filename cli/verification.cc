// SPDX-License-Identifier: Apache-2.0
#include "cli/verification.h"

#include "cli/progress.h"
#include "models/measure/backend.h"
#include "models/measure/bind_inputs.h"

namespace tally::cli {

Expected<Verifier> make_verifier(std::vector<std::string> backends, const Design& design) {
  if (backends.empty())
    for (const char* name : {"sysc", "rtl"})
      if (measure::check_backend(name)) backends.emplace_back(name);
  std::vector<std::unique_ptr<Machine>> machines;
  for (const std::string& name : backends) {
    if (name == "functional") return fail("--backends: the functional model is always compared");
    TALLY_ASSIGN(auto machine, measure::make_machine(name, design, build_progress()));
    machines.push_back(std::move(machine));
  }
  return Verifier(design, std::move(machines));
}

Expected<Program> bound_program(Session& session, const measure::Samples& samples,
                                std::int64_t index, nets::BuildOptions shape) {
  shape.tokens = samples.tokens(index);
  TALLY_ASSIGN(const auto graph, session.graphs().get(shape));
  TALLY_ASSIGN(const Program* program, session.programs().get(shape));
  return measure::bind_inputs(*program, samples.inputs(index, *graph));
}

std::string comparison_text(const std::string& what, const Compared& compared) {
  return fmt::format(
      "{}: compared {} of {} instructions (bits, cycles), {} counts, {} bytes of DRAM\n", what,
      compared.instructions, compared.instructions_total, compared.counts, compared.image_bytes);
}

}  // namespace tally::cli
