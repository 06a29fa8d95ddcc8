// Programs whose kernels trap or misuse the device's heap.
#include <cassert>

#include "common/cudasim/tests/bugs/bugs.h"

namespace device_calls {

__global__ void CheckIndex(unsigned limit) { assert(threadIdx.x < limit && "index in range"); }

PROGRAM(FailingAssertion) { CheckIndex<<<1, 64>>>(33); }

__global__ void Stop() {
  if (threadIdx.x == 3) __trap();
}

PROGRAM(Trap) { Stop<<<1, 32>>>(); }

// The compiler removes an allocation if its pointer does not escape from the kernel.
__device__ int* kept;

__global__ void OverrunOwnHeap(int count) {
  int* const values = static_cast<int*>(malloc(count * sizeof(int)));
  for (int i = 0; i <= count; ++i) values[i] = i;
  kept = values;
  free(values);
}

PROGRAM(WritePastKernelHeap) { OverrunOwnHeap<<<1, 1>>>(10); }

__global__ void UseFreed() {
  kept = new int(3);
  delete kept;
  *kept = 4;
}

PROGRAM(UseKernelHeapAfterFree) { UseFreed<<<1, 1>>>(); }

__global__ void FreeTwice() {
  kept = new int(3);
  delete kept;
  delete kept;
}

PROGRAM(FreeKernelHeapTwice) { FreeTwice<<<1, 1>>>(); }

__global__ void FreeOfHost(int* memory) { free(memory); }

PROGRAM(FreeCudaMallocInKernel) { FreeOfHost<<<1, 1>>>(Allocate(1)); }

}  // namespace device_calls
