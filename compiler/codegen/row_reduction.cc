// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/row_reduction.h"

#include <algorithm>

namespace tally::codegen {
namespace {

// Below this many rows one run over all rows costs more than the rows' tails: a division takes 8
// intervals for a batch of rows and one interval in a tail.
constexpr std::int64_t kRowsSideBySide = 8;

}  // namespace

int StreamedRoutine::index(const Stream& stream) {
  const auto found = std::find(streams_.begin(), streams_.end(), stream);
  if (found != streams_.end()) return int(found - streams_.begin());
  streams_.push_back(stream);
  return int(streams_.size()) - 1;
}

Stream rows_as_columns(Stream stream) {
  stream.stride = {0, stream.stride[0], stream.stride[1]};
  return stream;
}

void reduce_rows(Emitter* emitter, StreamedRoutine body, isa::StepOp fold, const Extents& extents,
                 const Stream& raw, const RowFinish& finish) {
  const auto reduced = body.builder.fold(fold);
  if (extents[0] * extents[1] < kRowsSideBySide) {
    finish(&body, reduced, [](const Stream& stream) { return stream; });
    return body.emit(emitter, extents);
  }
  body.store(reduced, raw);
  body.emit(emitter, extents);
  StreamedRoutine rows;
  finish(&rows, rows.load(rows_as_columns(raw)), rows_as_columns);
  rows.emit(emitter, {1, extents[0], extents[1]});
}

}  // namespace tally::codegen
