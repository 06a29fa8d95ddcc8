#pragma once

#include <utility>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// While it lives, accesses are not the kernel's: the linker may choose the program's instrumented
// copy of a template for the simulator's own code too.
class OutsideKernel {
 public:
  OutsideKernel() : was_in_kernel_(std::exchange(in_kernel, false)) {}
  ~OutsideKernel() { in_kernel = was_in_kernel_; }
  OutsideKernel(const OutsideKernel&) = delete;
  OutsideKernel& operator=(const OutsideKernel&) = delete;

 private:
  const bool was_in_kernel_;
};

}  // namespace cudasim
