// Programs whose bugs lie in accesses to variables, most of them stores to ones that no code reads
// and the loads that feed these.
#include "common/cudasim/tests/bugs/bugs.h"

namespace variables {

__device__ int last_seen;
__device__ int results[2];

__global__ void TellWhoWasLast() { last_seen = static_cast<int>(threadIdx.x); }

PROGRAM(WriteOnlyVariable) { TellWhoWasLast<<<1, 2>>>(); }

__global__ void KeepPastEnd(const int* in, int n) { results[threadIdx.x] = in[n + threadIdx.x]; }

PROGRAM(WriteOnlyVariableKeepsItsLoad) { KeepPastEnd<<<1, 2>>>(Zeros(64), 64); }

__managed__ int managed_count;

__global__ void CountInManaged() { managed_count += 1; }

PROGRAM(ManagedVariableCountedWithoutAtomics) { CountInManaged<<<1, 2>>>(); }

}  // namespace variables

static __device__ float of_the_file;

__global__ void StoreIntoFile(float x) { of_the_file = x * static_cast<float>(blockIdx.x); }

PROGRAM(WriteOnlyVariableOfTheFile) { StoreIntoFile<<<2, 1>>>(2); }
