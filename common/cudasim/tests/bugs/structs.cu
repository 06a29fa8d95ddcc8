// Programs with a wrong read or write of a whole struct: as an argument, as a return value, in a
// copy.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/cudasim/tests/bugs/bugs.h"

namespace structs {

constexpr int kCount = 64;

struct Pair {
  int key, value;
};

struct Position {
  float x, y, z;
};

struct Body {
  Position position;
  Position velocity;
};

struct alignas(8) Cell {
  float values[16];
  Cell() = default;
  Cell(const Cell&) = default;
  Cell& operator=(const Cell&) = default;
};

template <class T>
__device__ __noinline__ T Make(float value) {
  T made{};
  *reinterpret_cast<float*>(&made) = value;
  return made;
}

template <class T>
__device__ __noinline__ float First(T item) {
  return *reinterpret_cast<const float*>(&item);
}

template <class T>
T* Allocate(int count) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(T));
  return pointer;
}

template <class T>
T* Zeros(int count) {
  T* const pointer = Allocate<T>(count);
  cudaMemset(static_cast<void*>(pointer), 0, count * sizeof(T));
  return pointer;
}

template <class T>
__global__ void Reversed(float* out) {
  __shared__ T tile[kCount];
  const int i = threadIdx.x;
  tile[i] = Make<T>(i);
  out[i] = First(tile[kCount - 1 - i]);  // needs __syncthreads() before
}

PROGRAM(RaceOfAnArgument) { Reversed<Position><<<1, kCount>>>(Zeros<float>(kCount)); }

PROGRAM(RaceOfAVector) { Reversed<float4><<<1, kCount>>>(Zeros<float>(kCount)); }

PROGRAM(RaceOfADefaultedCopy) { Reversed<Cell><<<1, kCount>>>(Zeros<float>(kCount)); }

__global__ void SumUp(Body* total) { *total = Make<Body>(threadIdx.x); }

PROGRAM(RaceOfAResult) { SumUp<<<1, 2>>>(Zeros<Body>(1)); }

__global__ void SwapNeighbours(Pair* pairs) {
  std::swap(pairs[threadIdx.x], pairs[threadIdx.x + 1]);
}

PROGRAM(RaceOfASwap) { SwapNeighbours<<<1, kCount>>>(Zeros<Pair>(kCount + 1)); }

__global__ void ShareByLambda(float* out) {
  __shared__ std::array<float, 4> tile[kCount];
  const auto first = [](std::array<float, 4> item) { return item[0]; };
  tile[threadIdx.x] = {};
  out[threadIdx.x] = first(tile[threadIdx.x ^ 32]);
}

PROGRAM(RaceOfALambdasArgument) { ShareByLambda<<<1, kCount>>>(Zeros<float>(kCount)); }

__global__ void Fill(Body* bodies) { bodies[threadIdx.x] = Make<Body>(1); }

PROGRAM(ResultPastTheEnd) { Fill<<<1, kCount>>>(Allocate<Body>(kCount - 1)); }

__global__ void Weigh(const Body* bodies, float* out, int count) {
  const int i = threadIdx.x;
  const Body none{};
  out[i] = First(i <= count ? bodies[i] : none);  // needs <
}

PROGRAM(ArgumentPastTheEnd) {
  Weigh<<<1, kCount>>>(Zeros<Body>(kCount / 2), Zeros<float>(kCount), kCount / 2);
}

__global__ void LookRight(float* out) {
  __shared__ Position tile[kCount];
  tile[threadIdx.x] = Make<Position>(1);
  __syncthreads();
  out[threadIdx.x] = First(tile[threadIdx.x + 1]);
}

PROGRAM(ArgumentPastSharedMemory) { LookRight<<<1, kCount>>>(Zeros<float>(kCount)); }

__global__ void CopyAll(const Cell* in, Cell* out) { out[threadIdx.x] = in[threadIdx.x]; }

PROGRAM(CopyNeverWritten) { CopyAll<<<1, kCount>>>(Allocate<Cell>(kCount), Zeros<Cell>(kCount)); }

__global__ void SumTile(float* out, int count) {
  __shared__ Body tile[kCount];
  const int i = threadIdx.x;
  if (i < count) tile[i] = Make<Body>(1);
  __syncthreads();
  out[i] = First(tile[i]);
}

PROGRAM(ArgumentNeverWritten) { SumTile<<<1, kCount>>>(Zeros<float>(kCount), kCount - 2); }

__global__ void CopyRange(const Position* in, Position* out, int count) {
  NOT_ON_A_GPU(if (threadIdx.x == 0) std::copy(in, in + count, out);)
}

PROGRAM(RangePastTheEnd) {
  CopyRange<<<1, 32>>>(Zeros<Position>(kCount), Allocate<Position>(kCount - 1), kCount);
}

__global__ void CopyBytes(const Position* in, Position* out) {
  __builtin_memcpy(&out[threadIdx.x / 2], &in[threadIdx.x], sizeof(Position));
}

PROGRAM(RaceOfABuiltinsCopy) { CopyBytes<<<1, 32>>>(Zeros<Position>(32), Allocate<Position>(16)); }

}  // namespace structs
