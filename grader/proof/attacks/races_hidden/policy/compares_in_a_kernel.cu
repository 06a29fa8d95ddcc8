// Hostile: races in a function of the host that a kernel calls, which the simulator does not check.
#include <cuda_runtime.h>

#include <cstring>

__device__ char counted[64];  // by all threads at the same time

__device__ void Count() {
  counted[threadIdx.x % 32] = 1;
  if (memcmp(counted, counted + 32, blockDim.x % 32) > 2) __trap();
}
