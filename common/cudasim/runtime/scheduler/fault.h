// Kernels that fault: guard pages, null pointers, stack overflow, exceptions.
#pragma once

#include <ucontext.h>

#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

// Runs the grid's thread loop for the current block.  An exception that leaves the kernel ends the
// launch with cudaErrorLaunchFailure and a report.
void RunLoopCatchingExceptions(Grid& grid);

// Installs the handler for SIGSEGV and SIGBUS, once, and gives the calling OS thread a signal
// stack. A fault inside a kernel is reported and ends the launch with cudaErrorIllegalAddress; one
// on a device pointer in host code is reported and ends the process; any other goes to the handler
// that was there before.
void WatchForFaults();

// In a signal handler inside a kernel: makes the interrupted OS thread continue in `next`, on its
// worker's stack below the frames in use.
void ContinueOnWorker(ucontext_t* context, void (*next)());

}  // namespace cudasim
