// SPDX-License-Identifier: Apache-2.0
#include "models/data/kjv.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "models/base/sha256.h"

namespace tally {
namespace {

constexpr const char* kPackages = "bible-kjv and bible-kjv-text";

struct CommandOutput {
  std::string text;
  int exit_status = 0;
};

Expected<CommandOutput> run_command(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return fail("`{}`: cannot be started", command);
  CommandOutput output;
  std::array<char, 1 << 16> chunk;
  std::size_t got = 0;
  while ((got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0)
    output.text.append(chunk.data(), got);
  const int status = pclose(pipe);
  output.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

}  // namespace

Expected<std::string> kjv_text(const std::string& command) {
  TALLY_ASSIGN(CommandOutput output, run_command(command));
  if (output.exit_status != 0)
    return fail("`{}` failed (exit status {}); install the Debian packages {}", command,
                output.exit_status, kPackages);
  Sha256 hash;
  hash.update(output.text.data(), output.text.size());
  if (hash.hex() != kKjvSha256)
    return fail(
        "`{}` printed {} bytes that are not the expected text of {} bytes (SHA-256 {}); reinstall "
        "the Debian packages {}",
        command, output.text.size(), kKjvBytes, kKjvSha256, kPackages);
  return std::move(output.text);
}

Expected<DataSet> load_kjv(Split split, std::size_t context, std::optional<std::size_t> limit) {
  DataSet set;
  set.name = split == Split::kTrain ? "kjv-train" : "kjv-test";
  set.task = Task::kLm;
  TALLY_ASSIGN(const std::string text, kjv_text());
  const std::string_view all = text;
  const std::string_view part =
      split == Split::kTrain ? all.substr(0, kKjvTrainBytes) : all.substr(kKjvTrainBytes);
  if (context < 2 || context > part.size())
    return fail("{}: sequences of {} bytes; take 2 to {}", set.name, context, part.size());
  TALLY_ASSIGN(set.indices, pick_samples(set.name, part.size() / context, limit, Pick::kSpread));
  for (const std::uint64_t index : set.indices) {
    const std::string_view bytes = part.substr(index * context, context);
    std::vector<std::int32_t>& ids = set.sequences.emplace_back();
    for (const char byte : bytes) ids.push_back(static_cast<unsigned char>(byte));
  }
  return set;
}

}  // namespace tally
