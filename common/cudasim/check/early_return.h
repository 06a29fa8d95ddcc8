// Threads that return while others of their block go on to a barrier.
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// All live threads of the block wait at `site` in `barrier`: "__syncthreads()".  Reports those that
// returned before, as they will never come.
void CheckNobodyReturned(const Block& block, const char* barrier, const Site& site);

}  // namespace cudasim
