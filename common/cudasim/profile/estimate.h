// A roofline-style estimate: the resource that would be busy longest if resources were all that
// limits a kernel.  It is not a time: latency, registers, caches and the clock are left out.
#pragma once

#include "common/cudasim/profile/kernel_totals.h"

namespace cudasim {

struct Estimate {
  const char* bound = "";  // "memory", "shared_memory", "atomics", "instructions"
  double cycles = 0;       // that this resource is busy, over all launches
};

Estimate EstimateOf(const KernelProfile& profile, const KernelTotals& totals);

}  // namespace cudasim
