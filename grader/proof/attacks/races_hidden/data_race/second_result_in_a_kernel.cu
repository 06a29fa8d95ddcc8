// Hostile: races in a second result of a mathematical function.
#include <cuda_runtime.h>

__device__ int counted;  // by all threads at the same time

__device__ void Count() { frexp(1.0 + threadIdx.x, &counted); }
