// The worker of a host thread that launches grids.
#pragma once

#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

// Of the calling thread, made when it is first needed.  A fiber must not move to another OS thread
// while it is suspended, because compilers keep addresses of thread-local variables in registers:
// so every host thread has a worker of its own, and one that ends leaves it to a later one.  (Every
// grid starts fibers over, so they may move between grids.)
Worker& HostThreadsWorker();

}  // namespace cudasim
