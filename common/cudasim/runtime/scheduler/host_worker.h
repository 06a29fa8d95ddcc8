// The worker of a host thread that launches grids.
#pragma once

#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

// The worker of the calling thread, made on first use.  A fiber must not move to another OS thread
// while it is suspended, because compilers keep addresses of thread-local variables in registers:
// so every host thread has a worker of its own, and a thread that ends leaves its worker to a later
// one.  (Every grid starts fibers over, so they may move between grids.)
Worker& HostThreadsWorker();

}  // namespace cudasim
