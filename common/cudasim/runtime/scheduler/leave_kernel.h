// Leaving and re-entering the kernel's own code.
#pragma once

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// While one lives, the simulator's own code runs in a kernel's thread; other threads may run
// meanwhile.
class LeaveKernel {
 public:
  LeaveKernel() { in_kernel = false; }
  ~LeaveKernel() {
    if (__builtin_expect(kInstrumented, 0)) OnKernelResumed();
    in_kernel = true;
  }
  LeaveKernel(const LeaveKernel&) = delete;
  LeaveKernel& operator=(const LeaveKernel&) = delete;
};

}  // namespace cudasim
