// SPDX-License-Identifier: Apache-2.0
#include "models/measure/machines.h"

#if TALLY_HAVE_SYSC
#include "sysc/sysc_machine.h"
#endif
#if TALLY_HAVE_RTL
#include "sysc/verilated/rtl_machine.h"
#endif

namespace tally::measure {

MachineMaker sysc_maker() {
#if TALLY_HAVE_SYSC
  return [](const Design& design, const BuildProgress&) -> Expected<std::unique_ptr<Machine>> {
    return make_sysc_machine(design);
  };
#else
  return nullptr;
#endif
}

MachineMaker rtl_maker() {
#if TALLY_HAVE_RTL
  return [](const Design& design,
            const BuildProgress& progress) -> Expected<std::unique_ptr<Machine>> {
    return make_rtl_machine(design, {progress, ""});
  };
#else
  return nullptr;
#endif
}

}  // namespace tally::measure
