// Makes fibers, and switches between them.
#pragma once

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

using FiberEntry = void (*)();

// A fiber that will run `entry`, which must never return.  Its stack has a guard page at its low
// end, or lies near one where there are very many.  Aborts the process with a message when there is
// no memory for another stack.
Fiber* NewFiber(FiberEntry entry);

// Keeps a suspended fiber, which will not go on, for NewFiber(), also of other OS threads.
void FreeFiber(Fiber* fiber);

// Makes a suspended fiber start over at `entry`, forgetting what was on its stack.
void ResetFiber(Fiber* fiber, FiberEntry entry);

// Saves the running context in *save and continues *to.
extern "C" void cudasim_switch(Context* save, Context* to);

// True if the address lies in any fiber's stack region, guard pages included.
bool IsFiberStack(const void* address);

}  // namespace cudasim
