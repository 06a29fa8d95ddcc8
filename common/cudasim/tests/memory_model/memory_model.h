// Pairs of small programs, one clean and one with a race, which differ in one word.  Each pair
// names the section of the PTX ISA's chapter "Memory Consistency Model" from which it derives.
#pragma once

#include <cuda_runtime.h>

#include <initializer_list>
#include <vector>

struct Program {
  const char* name;
  void (*run)();
};

struct Pair {
  const char* section;
  Program clean;
  Program racy;
};

inline std::vector<Pair>& Pairs() {
  static std::vector<Pair> pairs;
  return pairs;
}

inline bool AddPairs(std::initializer_list<Pair> pairs) {
  Pairs().insert(Pairs().end(), pairs);
  return true;
}

inline int* Zeros(int count) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(int));
  cudaMemset(pointer, 0, count * sizeof(int));
  return pointer;
}

// Where the two threads of a program are.
struct TwoBlocks {
  static constexpr int kBlocks = 2, kThreads = 1;
};
struct TwoWarps {
  static constexpr int kBlocks = 1, kThreads = 64;
};
struct OneWarp {
  static constexpr int kBlocks = 1, kThreads = 2;
};

__device__ inline bool IsFirst() { return blockIdx.x == 0 && threadIdx.x == 0; }
__device__ inline bool IsLast() {
  return blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1;
}

// Fences.
struct None {
  static __device__ void Fence() {}
};
struct Block {
  static __device__ void Fence() { __threadfence_block(); }
};
struct Device {
  static __device__ void Fence() { __threadfence(); }
};
struct System {
  static __device__ void Fence() { __threadfence_system(); }
};

// Flags.
struct Exchange {
  static __device__ void Set(int* flag) { atomicExch(flag, 1); }
  static __device__ bool IsSet(int* flag) { return atomicAdd(flag, 0) == 1; }
};
struct ExchangeInBlock {
  static __device__ void Set(int* flag) { atomicExch_block(flag, 1); }
  static __device__ bool IsSet(int* flag) { return atomicAdd_block(flag, 0) == 1; }
};
struct SetInBlock {
  static __device__ void Set(int* flag) { atomicExch_block(flag, 1); }
  static __device__ bool IsSet(int* flag) { return *static_cast<volatile int*>(flag) == 1; }
};
struct ReadInBlock {
  static __device__ void Set(int* flag) { *static_cast<volatile int*>(flag) = 1; }
  static __device__ bool IsSet(int* flag) { return atomicAdd_block(flag, 0) == 1; }
};
struct Volatile {
  static __device__ void Set(int* flag) { *static_cast<volatile int*>(flag) = 1; }
  static __device__ bool IsSet(int* flag) { return *static_cast<volatile int*>(flag) == 1; }
};
