// Programs with null pointers, and with bugs behind an access out of bounds.
#include "common/cudasim/tests/bugs/bugs.h"

namespace pointers {

using Function = int (*)(int);

__global__ void Apply(Function function, int* out) { *out = function(1); }

PROGRAM(NullFunction) { Apply<<<1, 1>>>(nullptr, Zeros(1)); }

__global__ void Copy(void* to, const void* from) { memcpy(to, from, 64); }

PROGRAM(CopyFromNull) { Copy<<<1, 1>>>(Zeros(16), nullptr); }

__global__ void Fill(void* to) { memset(to, 0, 64); }

PROGRAM(FillNull) { Fill<<<1, 1>>>(nullptr); }

__global__ void Add(int* to) { atomicAdd(to, 1); }

PROGRAM(AddToNull) { Add<<<1, 1>>>(nullptr); }

// Three threads write past the end, one reads there, and all race for the first element.
__global__ void WritePastEnd(int* values, int n) {
  const int i = threadIdx.x;
  if (i > 0) values[n + i] = i;
  if (i == 0) values[1] = values[n];
  values[0] = i;
}

PROGRAM(RaceBehindOutOfBounds) { WritePastEnd<<<1, 4>>>(Zeros(64), 64); }

int of_the_host = 5;

__global__ void Set(int* word) { *word = 7; }

PROGRAM(WriteToHostVariable) {
  Set<<<1, 1>>>(&of_the_host);
  cudaDeviceSynchronize();
  std::printf("the host's variable holds %d\n", of_the_host);
}

}  // namespace pointers
