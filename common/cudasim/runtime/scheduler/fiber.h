// Makes fibers, and switches between them.
#pragma once

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

using FiberEntry = void (*)();

// A new fiber that will run `entry`, which must never return.  Its stack has a guard page at its
// low end.  Aborts the process with a message when there is no memory for another stack.
Fiber* NewFiber(FiberEntry entry);

// Makes a suspended fiber start over at `entry`, forgetting what was on its stack.
void ResetFiber(Fiber* fiber, FiberEntry entry);

// Saves the running context in *save and continues *to.
extern "C" void cudasim_switch(Context* save, Context* to);

// True if the address lies in any fiber's stack region, guard pages included.
bool IsFiberStack(const void* address);

}  // namespace cudasim
