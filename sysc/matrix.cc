// SPDX-License-Identifier: Apache-2.0
#include "sysc/matrix.h"

#include "sysc/matrix_values.h"

namespace tally::sysc {

void Matrix::start(Flight* flight) {
  const auto& matmul = std::get<isa::Matmul>(flight->instruction().body);
  const MatmulTiming timing = time_matmul(matmul, context().design, array_, flight->start);
  activity().busy(timing.first_load, timing.loaded);
  activity().busy(timing.first_stream, timing.array.streamed);
  array_ = timing.array;
  loader_free_ = timing.last_load;
  flight->end = timing.end;
  count_matmul(matmul, context().design, &context().log.events);
  multiply(matmul, context().design, &context().memories);
  if (context().hash != nullptr) hash_products(matmul, context().design, context().hash);
}

}  // namespace tally::sysc
