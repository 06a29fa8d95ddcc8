// A roofline-style estimate: the resource that would be busy longest, if nothing else held a kernel
// up.  It is not a time: latency, registers, caches and the clock are left out.
#pragma once

#include "common/cudasim/profile/kernel_totals.h"

namespace cudasim {

struct Estimate {
  const char* bound = "";  // "memory", "shared_memory", "atomics", "instructions"
  double cycles = 0;       // of that resource, all launches together
};

Estimate EstimateOf(const KernelProfile& profile, const KernelTotals& totals);

}  // namespace cudasim
