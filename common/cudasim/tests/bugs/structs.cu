// Programs with a wrong read or write of a whole struct: as an argument, as a return value, in a
// copy.
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
__global__ void Reversed(float* out) {
  __shared__ T tile[kCount];
  const int i = threadIdx.x;
  tile[i] = Make<T>(i);
  out[i] = First(tile[kCount - 1 - i]);  // needs __syncthreads() before
}

PROGRAM(RaceOfAnArgument) { Reversed<Position><<<1, kCount>>>(Zeros<float>(kCount)); }

PROGRAM(RaceOfADefaultedCopy) { Reversed<Cell><<<1, kCount>>>(Zeros<float>(kCount)); }

__global__ void SumUp(Body* total) { *total = Make<Body>(threadIdx.x); }

PROGRAM(RaceOfAResult) { SumUp<<<1, 2>>>(Zeros<Body>(1)); }

__global__ void SwapNeighbours(Pair* pairs) {
  std::swap(pairs[threadIdx.x], pairs[threadIdx.x + 1]);
}

PROGRAM(RaceOfASwap) { SwapNeighbours<<<1, kCount>>>(Zeros<Pair>(kCount + 1)); }

__global__ void Fill(Body* bodies) { bodies[threadIdx.x] = Make<Body>(1); }

PROGRAM(ResultPastTheEnd) { Fill<<<1, kCount>>>(Allocate<Body>(kCount - 1)); }

__global__ void LookRight(float* out) {
  __shared__ Position tile[kCount];
  tile[threadIdx.x] = Make<Position>(1);
  __syncthreads();
  out[threadIdx.x] = First(tile[threadIdx.x + 1]);
}

PROGRAM(ArgumentPastSharedMemory) { LookRight<<<1, kCount>>>(Zeros<float>(kCount)); }

__global__ void CopyAll(const Cell* in, Cell* out) { out[threadIdx.x] = in[threadIdx.x]; }

PROGRAM(CopyNeverWritten) { CopyAll<<<1, kCount>>>(Allocate<Cell>(kCount), Zeros<Cell>(kCount)); }

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
