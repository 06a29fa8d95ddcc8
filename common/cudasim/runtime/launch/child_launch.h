// <<<grid, block, bytes, stream>>> in device code.
#pragma once

#include "common/cudasim/runtime/launch/launch.h"

namespace cudasim {

// The launch that the running thread of a kernel makes next.
void SetNextChild(const LaunchConfiguration& configuration);

// Checks that launch and adds it to those of the running grid.  Errors go where the thread's
// cudaGetLastError() finds them.  Ends the grid if an argument points to the thread's local memory
// or to shared memory.
void LaunchChild(const KernelSource& source, const void* body, const BodyType& type);

}  // namespace cudasim
