// Programs with null pointers, and with bugs behind an access out of bounds.
#include <cuda_runtime.h>

#include "common/cudasim/tests/programs.h"

namespace pointers {

int* Zeros(int count) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(int));
  cudaMemset(pointer, 0, count * sizeof(int));
  return pointer;
}

using Function = int (*)(int);

__global__ void Apply(Function function, int* out) { *out = function(1); }

PROGRAM(NullFunction) { Apply<<<1, 1>>>(nullptr, Zeros(1)); }

__global__ void Copy(void* to, const void* from) { memcpy(to, from, 64); }

PROGRAM(CopyFromNull) { Copy<<<1, 1>>>(Zeros(16), nullptr); }

PROGRAM(CopyToNull) { Copy<<<1, 1>>>(nullptr, Zeros(16)); }

__global__ void Fill(void* to) { memset(to, 0, 64); }

PROGRAM(FillNull) { Fill<<<1, 1>>>(nullptr); }

__global__ void Add(int* to) { atomicAdd(to, 1); }

PROGRAM(AddToNull) { Add<<<1, 1>>>(nullptr); }

__global__ void Read(const int* from, int* to) { *to = *from; }

PROGRAM(ReadNull) { Read<<<1, 1>>>(nullptr, Zeros(1)); }

// Three threads write past the end, one reads there, and all race for the first element.
__global__ void WritePastEnd(int* values, int n) {
  const int i = threadIdx.x;
  if (i > 0) values[n + i] = i;
  if (i == 0) values[1] = values[n];
  values[0] = i;
}

PROGRAM(RaceBehindOutOfBounds) {
  int* const values = Zeros(64);
  WritePastEnd<<<1, 4>>>(values, 64);
  cudaFree(values);
}

int of_the_host = 5;

__global__ void Set(int* word) { *word = 7; }

PROGRAM(WriteToHostVariable) {
  Set<<<1, 1>>>(&of_the_host);
  cudaDeviceSynchronize();
  std::printf("the host's variable holds %d\n", of_the_host);
}

}  // namespace pointers
