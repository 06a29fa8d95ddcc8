// Programs whose bugs lie in accesses to variables, most of them stores to ones that no code reads
// and the loads that feed these. `variables BUG` runs the bug of that name; variables.txt holds
// check mode's report.
#include <cuda_runtime.h>

#include "common/cudasim/tests/bugs/bugs.h"

namespace {

__device__ int last_seen;
__device__ int results[2];

__global__ void TellWhoWasLast() { last_seen = static_cast<int>(threadIdx.x); }

void WriteOnlyVariable() { TellWhoWasLast<<<1, 2>>>(); }

__global__ void KeepPastEnd(const int* in, int n) { results[threadIdx.x] = in[n + threadIdx.x]; }

void WriteOnlyVariableKeepsItsLoad() {
  int* in = nullptr;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  KeepPastEnd<<<1, 2>>>(in, 64);
  cudaFree(in);
}

__managed__ int managed_count;

__global__ void CountInManaged() { managed_count += 1; }

void ManagedVariableCountedWithoutAtomics() { CountInManaged<<<1, 2>>>(); }

}  // namespace

static __device__ float of_the_file;

__global__ void StoreIntoFile(float x) { of_the_file = x * static_cast<float>(blockIdx.x); }

static void WriteOnlyVariableOfTheFile() { StoreIntoFile<<<2, 1>>>(2); }

int main(int argc, char** argv) {
  return RunBug(argc, argv,
                {BUG(WriteOnlyVariable), BUG(WriteOnlyVariableKeepsItsLoad),
                 BUG(WriteOnlyVariableOfTheFile), BUG(ManagedVariableCountedWithoutAtomics)});
}
