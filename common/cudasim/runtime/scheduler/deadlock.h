// Blocks none of whose threads can ever go on.
#pragma once

#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

// Reports who waits where in `block`, which is stuck, and ends the grid with
// cudaErrorLaunchFailure.  Does nothing if the grid was aborted already.
void EndDeadlock(Grid& grid, Block& block);

}  // namespace cudasim
