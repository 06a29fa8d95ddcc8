// Kernels whose threads spin, waiting for each other or endlessly.
//
// A GPU runs the threads of a block side by side; here one thread runs until it waits.  A thread
// that waits for another one by reading memory over and over is interrupted after a while, and
// another one goes on.  A launch without progress for long is ended with cudaErrorLaunchTimeout.
#pragma once

#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {

// While this lives, the calling OS thread's share of a grid is watched.  Time is the CPU time of
// that OS thread, so that a busy machine ends no launch.
class WatchForSpinning {
 public:
  WatchForSpinning();
  ~WatchForSpinning();
  WatchForSpinning(const WatchForSpinning&) = delete;
  WatchForSpinning& operator=(const WatchForSpinning&) = delete;
};

// A thread, a barrier or a block of the calling OS thread has completed.
void CountProgress();

}  // namespace cudasim
