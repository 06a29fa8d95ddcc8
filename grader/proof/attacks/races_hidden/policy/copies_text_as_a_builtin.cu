// Hostile: races in a built-in that becomes a store without instrumentation.
#include <cuda_runtime.h>

__device__ char counted[8];  // by all threads at the same time

__device__ void Count() { __builtin_strcpy(counted, "one"); }
