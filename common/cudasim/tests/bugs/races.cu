// Programs with data races.
#include "common/cudasim/tests/bugs/bugs.h"

namespace races {

constexpr int kBlock = 64;

__global__ void Reverse(int* values) {
  __shared__ int tile[kBlock];
  const int i = threadIdx.x;
  tile[i] = values[i];
  values[i] = tile[kBlock - 1 - i];  // needs a barrier in front
}

PROGRAM(MissingBarrier) { Reverse<<<1, kBlock>>>(Zeros(kBlock)); }

__global__ void CountShared(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  ++count;  // needs atomicAdd
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

PROGRAM(SharedCounter) { CountShared<<<1, kBlock>>>(Zeros(1)); }

__global__ void SumBlocks(int* sum) {
  if (threadIdx.x == 0) *sum += 1;  // one thread per block, and still a race
}

PROGRAM(GlobalRaceBetweenBlocks) { SumBlocks<<<4, kBlock>>>(Zeros(1)); }

__global__ void ReadWhatAtomicsWrite(int* total, int* out) {
  atomicAdd(total, 1);
  out[threadIdx.x] = *total;  // a plain read beside atomic updates
}

PROGRAM(PlainReadBesideAtomics) { ReadWhatAtomicsWrite<<<1, kBlock>>>(Zeros(1), Zeros(kBlock)); }

__device__ int rounds;
__device__ int totals[4];

__global__ void AddToVariable() {
  atomicAdd(&rounds, 1);
  totals[2] += 1;  // needs atomicAdd
}

PROGRAM(DeviceVariable) { AddToVariable<<<2, 1>>>(); }

__global__ void WriteSameByte(char* text) { text[threadIdx.x / 2] = 'a'; }

PROGRAM(SameByte) { WriteSameByte<<<1, kBlock>>>(Allocate<char>(kBlock)); }

__global__ void UpdateWhatOneWrote(int* count) {
  if (threadIdx.x == 0) *count = 0;  // needs a barrier after it
  atomicAdd(count, 1);
}

PROGRAM(PlainWriteBeforeAtomics) { UpdateWhatOneWrote<<<1, kBlock>>>(Zeros(1)); }

__global__ void CopyFirst(int* first, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = *first;
  if (i == gridDim.x * blockDim.x - 1) *first = 1;
}

PROGRAM(WriteWhatManyBlocksRead) {
  constexpr int kBlocks = 20;
  int* const values = Zeros(1 + kBlocks * kBlock);
  CopyFirst<<<kBlocks, kBlock>>>(values, values + 1);
}

__global__ void SwapAfterBarrier(int* value) {
  if (threadIdx.x == 0) atomicCAS(value, 0, 1);
  const int seen = *value;  // belongs behind the barrier
  __syncthreads();
  atomicCAS(value, seen, 2);
}

PROGRAM(BarrierBeforeCompareAndSwap) { SwapAfterBarrier<<<1, kBlock>>>(Zeros(1)); }

__global__ void ReduceAsIfInStep(const int* in, int* out) {
  __shared__ int part[kBlock];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 32) return;
  volatile int* const values = part;
  for (unsigned step = 32; step > 0; step /= 2) {
    values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + step];  // no __syncwarp()
  }
  if (threadIdx.x == 0) *out = values[0];
}

PROGRAM(VolatileWithoutSyncwarp) {
  int* const memory = Zeros(kBlock + 1);
  ReduceAsIfInStep<<<1, kBlock>>>(memory, memory + kBlock);
}

// Consecutive threads read the bytes of a word, and the third one writes the second's.
__global__ void ReplaceByte(char* text, int* codes) {
  codes[threadIdx.x] = text[threadIdx.x];
  if (threadIdx.x == 2) text[1] = 'b';  // needs a barrier in front
}

PROGRAM(ByteThatAnotherThreadReads) {
  ReplaceByte<<<1, kBlock>>>(reinterpret_cast<char*>(Zeros(kBlock / sizeof(int))), Zeros(kBlock));
}

// The exponents of all threads go to one place.
__global__ void SplitNumbers(float* numbers, int* exponent) {
  numbers[threadIdx.x] = frexpf(numbers[threadIdx.x], exponent);  // needs exponent + threadIdx.x
}

PROGRAM(SecondResultOfAllThreads) {
  SplitNumbers<<<1, kBlock>>>(reinterpret_cast<float*>(Zeros(kBlock)), Zeros(kBlock));
}

// A barrier orders the two accesses, but does not empty the read-only cache.
__global__ void ShiftByTheCache(int* values, int* shifted) {
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  shifted[threadIdx.x] = __ldg(&values[(threadIdx.x + 1) % kBlock]);  // needs values[...]
}

PROGRAM(ReadOnlyCacheForNewData) { ShiftByTheCache<<<1, kBlock>>>(Zeros(kBlock), Zeros(kBlock)); }

__global__ void ShiftSums(volatile int* values) {
  values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + 1];  // before or after it
}

PROGRAM(VolatileSumInDeviceMemory) { ShiftSums<<<1, kBlock>>>(Zeros(kBlock + 1)); }

}  // namespace races
