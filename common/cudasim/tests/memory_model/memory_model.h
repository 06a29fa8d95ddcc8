// Pairs of small programs, one clean and one with a race, which differ in one word.  Each pair
// names the section of the PTX ISA's chapter "Memory Consistency Model" from which it derives.
#pragma once

#include <cuda_runtime.h>

#include <initializer_list>
#include <utility>
#include <vector>

// Sections.
constexpr char kAsynchronous[] = "Asynchronous Operations";
constexpr char kAtomicity[] = "Atomicity";
constexpr char kCausality[] = "Causality Order";
constexpr char kOrder[] = "Program Order";
constexpr char kPatterns[] = "Release and Acquire Patterns";
constexpr char kRaces[] = "Conflict and Data-races";
constexpr char kScopes[] = "Scope";
constexpr char kStrong[] = "Morally Strong Operations";
constexpr char kSynchronization[] = "Memory Synchronization";
constexpr char kVolatile[] = "Operation Types";

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

// Blocks and threads of a launch.
template <int kGrid, int kBlock>
struct Shape {
  static constexpr int kBlocks = kGrid, kThreads = kBlock;
};
// Where the two threads of a program are.
using TwoBlocks = Shape<2, 1>;
using TwoWarps = Shape<1, 64>;
using OneWarp = Shape<1, 2>;

constexpr int kWords = 256;  // for each argument

template <class Threads, class... P, std::size_t... kIndex>
void Launch(void (*kernel)(P...), std::index_sequence<kIndex...>) {
  int* const memory = Zeros(kWords * sizeof...(P));
  kernel<<<Threads::kBlocks, Threads::kThreads>>>(
      reinterpret_cast<P>(memory + kWords * static_cast<int>(kIndex))...);
  cudaFree(memory);
}

// Launches a kernel whose arguments are pointers to kWords words, which are 0.
template <class Threads, auto kKernel>
void Run() {
  []<class... P>(void (*kernel)(P...)) {
    Launch<Threads>(kernel, std::index_sequence_for<P...>());
  }(kKernel);
}

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

// A pair with threads in the same places.
template <class Threads, auto kClean, auto kRacy>
Pair PairOf(const char* section, const char* clean, const char* racy) {
  return {section, {clean, Run<Threads, kClean>}, {racy, Run<Threads, kRacy>}};
}
