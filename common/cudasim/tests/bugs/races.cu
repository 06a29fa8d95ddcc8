// Programs with data races.
#include <cuda_runtime.h>

#include "common/cudasim/tests/programs.h"

namespace races {

constexpr int kBlock = 64;

int* Zeros(int count) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(int));
  cudaMemset(pointer, 0, count * sizeof(int));
  return pointer;
}

__global__ void Reverse(int* values) {
  __shared__ int tile[kBlock];
  const int i = threadIdx.x;
  tile[i] = values[i];
  values[i] = tile[kBlock - 1 - i];  // needs a barrier in front
}

PROGRAM(MissingBarrier) {
  int* const values = Zeros(kBlock);
  Reverse<<<1, kBlock>>>(values);
  cudaFree(values);
}

__global__ void CountShared(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  ++count;  // needs atomicAdd
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

PROGRAM(SharedCounter) {
  int* const out = Zeros(1);
  CountShared<<<1, kBlock>>>(out);
  cudaFree(out);
}

__global__ void ReduceWithoutLastBarrier(const int* in, int* out) {
  extern __shared__ int partial[];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    if (stride > 32) __syncthreads();  // needs __syncwarp() in the last warp
  }
  if (threadIdx.x == 0) *out = partial[0];
}

PROGRAM(WarpWithoutSync) {
  int* const in = Zeros(kBlock);
  int* const out = Zeros(1);
  ReduceWithoutLastBarrier<<<1, kBlock, kBlock * sizeof(int)>>>(in, out);
  cudaFree(in);
  cudaFree(out);
}

__global__ void Histogram(const int* in, int* bins) {
  bins[in[threadIdx.x] % 4] += 1;  // needs atomicAdd
}

PROGRAM(GlobalRaceInBlock) {
  int* const in = Zeros(kBlock);
  int* const bins = Zeros(4);
  Histogram<<<1, kBlock>>>(in, bins);
  cudaFree(in);
  cudaFree(bins);
}

__global__ void SumBlocks(int* sum) {
  if (threadIdx.x == 0) *sum += 1;  // one thread per block, and still a race
}

PROGRAM(GlobalRaceBetweenBlocks) {
  int* const sum = Zeros(1);
  SumBlocks<<<4, kBlock>>>(sum);
  cudaFree(sum);
}

__global__ void Smooth(float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0) values[i] = 0.5f * (values[i - 1] + values[i]);
}

PROGRAM(InPlaceStencil) {
  float* values = nullptr;
  cudaMalloc(&values, 2 * kBlock * sizeof(float));
  cudaMemset(values, 0, 2 * kBlock * sizeof(float));
  Smooth<<<2, kBlock>>>(values);
  cudaFree(values);
}

__global__ void ReadWhatAtomicsWrite(int* total, int* out) {
  atomicAdd(total, 1);
  out[threadIdx.x] = *total;  // a plain read beside atomic updates
}

PROGRAM(PlainReadBesideAtomics) {
  int* const total = Zeros(1);
  int* const out = Zeros(kBlock);
  ReadWhatAtomicsWrite<<<1, kBlock>>>(total, out);
  cudaFree(total);
  cudaFree(out);
}

__global__ void PassWithoutFence(int* data, int* ready, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // needs __threadfence() after it
    atomicExch(ready, 1);
  } else {
    while (atomicAdd(ready, 0) == 0) __nanosleep(100);
    *out = *data;
  }
}

PROGRAM(MessageWithoutFence) {
  int* const memory = Zeros(3);
  PassWithoutFence<<<2, 1>>>(memory, memory + 1, memory + 2);
  cudaFree(memory);
}

__global__ void Tiles(const int* in, int* out) {
  __shared__ int tile[kBlock];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = in[round * kBlock + threadIdx.x];  // needs a barrier at the loop's end
    __syncthreads();
    out[round * kBlock + threadIdx.x] = tile[kBlock - 1 - threadIdx.x];
  }
}

PROGRAM(MissingSecondBarrier) {
  int* const in = Zeros(2 * kBlock);
  int* const out = Zeros(2 * kBlock);
  Tiles<<<1, kBlock>>>(in, out);
  cudaFree(in);
  cudaFree(out);
}

__device__ int rounds;
__device__ int totals[4];

__global__ void AddToVariable() {
  atomicAdd(&rounds, 1);
  totals[2] += 1;  // needs atomicAdd
}

PROGRAM(DeviceVariable) { AddToVariable<<<2, 1>>>(); }

__global__ void WriteSameByte(char* text) { text[threadIdx.x / 2] = 'a'; }

PROGRAM(SameByte) {
  char* text = nullptr;
  cudaMalloc(&text, kBlock);
  WriteSameByte<<<1, kBlock>>>(text);
  cudaFree(text);
}

__global__ void UpdateWhatOneWrote(int* count) {
  if (threadIdx.x == 0) *count = 0;  // needs a barrier after it
  atomicAdd(count, 1);
}

PROGRAM(PlainWriteBeforeAtomics) {
  int* const count = Zeros(1);
  UpdateWhatOneWrote<<<1, kBlock>>>(count);
  cudaFree(count);
}

__global__ void CopyFirst(int* first, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = *first;
  if (i == gridDim.x * blockDim.x - 1) *first = 1;
}

PROGRAM(WriteWhatManyBlocksRead) {
  constexpr int kBlocks = 20;
  int* const values = Zeros(1 + kBlocks * kBlock);
  CopyFirst<<<kBlocks, kBlock>>>(values, values + 1);
  cudaFree(values);
}

__global__ void PassSum(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 1;
  __syncthreads();
  out[threadIdx.x] = sum;
  if (threadIdx.x == kBlock - 1) sum = 2;  // needs a barrier in front
}

PROGRAM(WriteWhatTheBlockReads) {
  int* const out = Zeros(kBlock);
  PassSum<<<1, kBlock>>>(out);
  cudaFree(out);
}

// The first thread to arrive takes the lock; the others need an atomic read.
__global__ void TakeOrRead(int* owner, int* seen) {
  if (threadIdx.x == 0) {
    atomicCAS(owner, 0, 1);
  } else {
    seen[threadIdx.x] = *owner;
  }
}

PROGRAM(PlainReadBesideCompareAndSwap) {
  int* const owner = Zeros(1);
  int* const seen = Zeros(kBlock);
  TakeOrRead<<<1, kBlock>>>(owner, seen);
  cudaFree(owner);
  cudaFree(seen);
}

__global__ void SwapAfterBarrier(int* value) {
  if (threadIdx.x == 0) atomicCAS(value, 0, 1);
  const int seen = *value;  // belongs behind the barrier
  __syncthreads();
  atomicCAS(value, seen, 2);
}

PROGRAM(BarrierBeforeCompareAndSwap) {
  int* const value = Zeros(1);
  SwapAfterBarrier<<<1, kBlock>>>(value);
  cudaFree(value);
}

__global__ void LockWithoutAtomics(int* lock, int* count) {
  while (*lock != 0) __nanosleep(10);  // needs an atomic or volatile read
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(10);
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}

PROGRAM(PlainReadOfLock) {
  int* const lock = Zeros(1);
  int* const count = Zeros(1);
  LockWithoutAtomics<<<2, 1>>>(lock, count);
  cudaFree(lock);
  cudaFree(count);
}

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
  cudaFree(memory);
}

__global__ void ScanAsIfInStep(int* values) {
  __shared__ volatile int part[32];
  const int i = threadIdx.x;
  part[i] = values[i];
  for (int step = 1; step < 32; step *= 2) {
    const int left = i >= step ? part[i - step] : 0;
    part[i] = part[i] + left;  // needs __syncwarp() before and after
  }
  values[i] = part[i];
}

PROGRAM(VolatileScanWithoutSyncwarp) {
  int* const values = Zeros(32);
  ScanAsIfInStep<<<1, 32>>>(values);
  cudaFree(values);
}

// Consecutive threads read the bytes of a word, and the third one writes the second's.
__global__ void ReplaceByte(char* text, int* codes) {
  codes[threadIdx.x] = text[threadIdx.x];
  if (threadIdx.x == 2) text[1] = 'b';  // needs a barrier in front
}

PROGRAM(ByteThatAnotherThreadReads) {
  int* const codes = Zeros(kBlock);
  char* const text = reinterpret_cast<char*>(Zeros(kBlock / sizeof(int)));
  ReplaceByte<<<1, kBlock>>>(text, codes);
  cudaFree(codes);
  cudaFree(text);
}

// The exponents of all threads go to one place.
__global__ void SplitNumbers(float* numbers, int* exponent) {
  numbers[threadIdx.x] = frexpf(numbers[threadIdx.x], exponent);  // needs exponent + threadIdx.x
}

PROGRAM(SecondResultOfAllThreads) {
  float* const numbers = reinterpret_cast<float*>(Zeros(kBlock));
  int* const exponent = Zeros(kBlock);
  SplitNumbers<<<1, kBlock>>>(numbers, exponent);
  cudaFree(exponent);
  cudaFree(numbers);
}

// A barrier orders the two accesses, but does not empty the read-only cache.
__global__ void ShiftByTheCache(int* values, int* shifted) {
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  shifted[threadIdx.x] = __ldg(&values[(threadIdx.x + 1) % kBlock]);  // needs values[...]
}

PROGRAM(ReadOnlyCacheForNewData) {
  int* const values = Zeros(kBlock);
  int* const shifted = Zeros(kBlock);
  ShiftByTheCache<<<1, kBlock>>>(values, shifted);
  cudaFree(shifted);
  cudaFree(values);
}

}  // namespace races
