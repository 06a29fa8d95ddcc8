// Threads that return before a barrier at which others of their block wait.
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// All live threads of the block wait at `site` in `barrier`, such as "__syncthreads()".  Reports
// threads that have returned.
void CheckNobodyReturned(const Block& block, const char* barrier, const Site& site);

}  // namespace cudasim
