// SPDX-License-Identifier: Apache-2.0
// The real model lowered by the recipe int8 and interpreted with the machines' bits: what int8
// costs. Needs ../shared; skips without.
#include <gtest/gtest.h>

#include <filesystem>

#include "compiler/ir/pass_manager.h"
#include "compiler/passes/registry.h"
#include "models/data/set_json.h"
#include "models/nets/build.h"
#include "models/nets/import.h"
#include "models/nets/parallel.h"
#include "models/nets/score.h"
#include "models/ops/interpreter.h"

namespace tally::nets {
namespace {

std::string source(const std::string& path) { return std::string(TALLY_SOURCE_DIR) + "/" + path; }

// Loss of one sequence on the lowered graph of its length.
Expected<LossSum> lowered_loss(const Model& model, const Recipe& recipe,
                               const std::vector<std::int32_t>& ids) {
  auto tokens = static_cast<std::int64_t>(ids.size());
  TALLY_ASSIGN(ir::Module module, build(model, {.tokens = tokens}));
  ir::PassManager passes;
  TALLY_TRY(passes.add_pipeline(passes::make_registry(), passes::default_pipeline(recipe)));
  TALLY_TRY(passes.run(module));
  TALLY_ASSIGN(ops::Interpreter machine, ops::Interpreter::create(module, ops::Semantics::kExact));
  TALLY_ASSIGN(ops::Tensors outputs,
               machine.run({{"ids", ir::Tensor::of<std::int32_t>({tokens}, ids)}}));
  return sequence_loss(outputs.at("logits"), ids);
}

TEST(Lowered, StoriesInInt8) {
  std::string folder = source("../shared/data/stories260k");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "skipped: " << folder << " is not there";
  auto model = import_model(folder + "/hf");
  auto recipe = find_recipe("int8", source("compiler/recipes"));
  auto set = read_set_json(folder + "/eval_a_ids.json");
  ASSERT_TRUE(model && recipe && set);
  std::vector<Expected<LossSum>> losses(set->samples());
  parallel_for(set->samples(), 2, [&](std::size_t i) {
    losses[i] = lowered_loss(*model, *recipe, set->sequences[i]);
  });
  LossSum sum;
  for (const auto& loss : losses) {
    ASSERT_TRUE(loss) << loss.error().message;
    sum.total += loss->total;
    sum.tokens += loss->tokens;
  }
  EXPECT_EQ(sum.tokens, 8633);
  EXPECT_LE(sum.perplexity(), 3.87);
  EXPECT_GE(sum.perplexity(), 3.84);  // int8 does not beat fp32 by more than noise
  std::printf("stories260k, int8: perplexity %.4f\n", sum.perplexity());
}

}  // namespace
}  // namespace tally::nets
