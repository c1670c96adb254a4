// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation.h"

#include "models/data/sets.h"

namespace tally::cli {

void add_evaluation(CommandLine command, EvaluationOptions* options) {
  command.option("--data", &options->data, "data set or JSON file (default: seeded random inputs)");
  command.option("-n", &options->count, "how many samples (default: all; one random input)")
      .positive();
}

Expected<measure::Samples> samples_of(const CommonOptions& common, const EvaluationOptions& options,
                                      const nets::Model& model, const nets::BuildOptions& shape) {
  if (options.data.empty())
    return measure::Samples::random(model, options.count.value_or(1), shape.tokens,
                                    common.decode_at.value_or(0), common.seed);
  if (common.sequence) return fail("--sequence does not go with --data: the data say the length");
  if (common.decode_at) return fail("--decode-at does not go with --data");
  if (shape.layers && shape.layers->first != 0)
    return fail("--layers {}: data go in at layer 0", common.layers);
  std::optional<std::size_t> limit;
  if (options.count) limit = static_cast<std::size_t>(*options.count);
  TALLY_ASSIGN(DataSet set, load_set(options.data, limit));
  return measure::Samples::from_set(model, std::move(set));
}

}  // namespace tally::cli
