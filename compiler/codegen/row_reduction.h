// SPDX-License-Identifier: Apache-2.0
// Routines with their streams, and reductions of rows followed by arithmetic on the one result of
// each row.
#pragma once

#include <functional>
#include <vector>

#include "compiler/codegen/emitter.h"
#include "compiler/codegen/routine.h"

namespace tally::codegen {

// A routine under construction and the streams it uses; equal streams are one.
class StreamedRoutine {
 public:
  RoutineBuilder::Value load(const Stream& stream) { return builder.load(index(stream)); }
  void store(RoutineBuilder::Value value, const Stream& stream) {
    builder.store(value, index(stream));
  }
  void emit(Emitter* emitter, const Extents& extents) const {
    emitter->run(builder.finish(), extents, streams_);
  }

  RoutineBuilder builder;

 private:
  int index(const Stream& stream);

  std::vector<Stream> streams_;
};

// A value of each row and group (stride 0 along the columns) seen with the rows as columns.
Stream rows_as_columns(Stream stream);

// What is computed from a row's reduced value; stores go to `at(stream)`, loads of other row values
// too.
using RowFinish = std::function<void(StreamedRoutine* routine, RoutineBuilder::Value reduced,
                                     const std::function<Stream(const Stream&)>& at)>;

// Emits `body`, a routine that ends with a psum, over (groups, rows, columns), folds each row and
// applies `finish`. With many rows the folded values go to `raw` (which may be one of the places
// that `finish` stores to) and `finish` runs over all rows side by side in the lanes; with few it
// runs in each row's tail. The bits are the same.
void reduce_rows(Emitter* emitter, StreamedRoutine body, isa::StepOp fold, const Extents& extents,
                 const Stream& raw, const RowFinish& finish);

}  // namespace tally::codegen
