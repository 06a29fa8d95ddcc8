// Volatile accesses are relaxed: two of them are no race by themselves, but they order nothing.
#include "common/cudasim/tests/memory_model/memory_model.h"

namespace pairs_volatile {

struct AddAtomically {
  static __device__ void Do(volatile int* word) { atomicAdd(const_cast<int*>(word), 1); }
};
struct AddVolatile {
  static __device__ void Do(volatile int* word) { word[0] = word[0] + 1; }
};
struct AddInTwoLines {
  static __device__ void Do(volatile int* word) {
    const int old = *word;
    *word = old + 1;
  }
};
struct LookAt {
  static __device__ void Do(volatile int* word) {
    if (*word == 7) *word = 8;
  }
};

template <class Update>
__global__ void CountAll(int* word) {
  Update::Do(word);
}

template <class Threads, class Update>
void RunCount() {
  int* const word = Zeros(1);
  CountAll<Update><<<Threads::kBlocks, Threads::kThreads>>>(word);
  cudaFree(word);
}

// Threads write the same value, or values of their own.
template <bool kSame>
__global__ void Tell(volatile int* word) {
  if (IsFirst() || IsLast()) *word = kSame ? 1 : static_cast<int>(1 + blockIdx.x + threadIdx.x);
}

template <class Threads, bool kSame>
void RunTell() {
  int* const word = Zeros(1);
  Tell<kSame><<<Threads::kBlocks, Threads::kThreads>>>(word);
  cudaFree(word);
}

struct Barrier {
  static __device__ void Wait() { __syncthreads(); }
};
struct WarpBarrier {
  static __device__ void Wait() { __syncwarp(); }
};
struct Nothing {
  static __device__ void Wait() {}
};

// A tree of sums; threads beyond the stride keep the barrier.
template <class Step, int kThreads>
__global__ void SumInShared(int* out) {
  __shared__ volatile int part[kThreads];
  const int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] = part[t] + part[t + stride];
    Step::Wait();
  }
  if (t == 0) *out = part[0];
}

template <class Step>
__global__ void SumInGlobal(volatile int* part) {
  const int t = threadIdx.x;
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    Step::Wait();
  }
}

template <class Step, int kThreads>
void RunShared() {
  int* const out = Zeros(kThreads);
  SumInShared<Step, kThreads><<<1, kThreads>>>(out);
  cudaFree(out);
}

template <class Step>
void RunGlobal() {
  int* const part = Zeros(128);
  SumInGlobal<Step><<<1, 128>>>(part);
  cudaFree(part);
}

// A hint to stop: written by one thread, read by all.
template <class Word>
__global__ void Search(Word* found, int* steps) {
  for (int i = 0; i < 100; ++i) {
    if (*found != 0) return;
    if (IsLast() && i == 50) *found = 1;
    steps[threadIdx.x] = i;
  }
}

template <class Word>
void RunSearch() {
  int* const memory = Zeros(128);
  Search<Word><<<1, 64>>>(memory, memory + 64);
  cudaFree(memory);
}

// Volatile data: state and value in one word need no fence, in two words the writer's.
template <class Fence>
__global__ void HandOver(volatile int* data, volatile int* state, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    Fence::Fence();
    *state = 1;
  } else {
    while (*state == 0) __nanosleep(20);
    __threadfence();
    *out = *data;
  }
}

template <class Fence>
void RunHandOver() {
  int* const memory = Zeros(96);
  HandOver<Fence><<<2, 1>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

// One word that holds both; `kOne` says whether value and state go together.
template <bool kOne>
__global__ void Publish(volatile unsigned long long* word, int* value, int* out) {
  if (blockIdx.x == 0) {
    *value = 42;
    *word = 1ull << 32 | 42;
  } else {
    unsigned long long seen = 0;
    while ((seen = *word) == 0) __nanosleep(20);
    *out = kOne ? static_cast<int>(seen) : *value;
  }
}

template <bool kOne>
void RunPublish() {
  int* const memory = Zeros(96);
  Publish<kOne><<<2, 1>>>(reinterpret_cast<unsigned long long*>(memory), memory + 32, memory + 64);
  cudaFree(memory);
}

struct ReadVolatile {
  static __device__ int Of(int* word) { return *static_cast<volatile int*>(word); }
};
struct ReadPlain {
  static __device__ int Of(int* word) { return *word; }
};

template <class Read>
__global__ void ReadBesideAtomics(int* word, int* out) {
  if (IsFirst()) atomicAdd(word, 1);
  if (IsLast()) *out = Read::Of(word);
}

template <class Read>
void RunBeside() {
  int* const memory = Zeros(64);
  ReadBesideAtomics<Read><<<2, 1>>>(memory, memory + 32);
  cudaFree(memory);
}

constexpr char kVolatile[] = "Operation Types";
constexpr char kRaces[] = "Conflict and Data-races";
constexpr char kAtomicity[] = "Atomicity";
constexpr char kCausality[] = "Causality Order";

const bool listed = AddPairs(
    {{kAtomicity,
      {"CountAtomically", RunCount<TwoBlocks, AddAtomically>},
      {"CountVolatile", RunCount<TwoBlocks, AddVolatile>}},
     {kAtomicity,
      {"LookOnly", RunCount<TwoBlocks, LookAt>},
      {"CountInTwoLines", RunCount<TwoBlocks, AddInTwoLines>}},
     {kVolatile, {"SameValue", RunTell<TwoBlocks, true>}, {"OwnValue", RunTell<TwoBlocks, false>}},
     {kCausality,
      {"TreeWithBarriersAgain", RunShared<Barrier, 128>},
      {"TreeWithWarpBarriers", RunShared<WarpBarrier, 128>}},
     {kCausality,
      {"WarpWithBarriers", RunShared<WarpBarrier, 32>},
      {"WarpWithoutBarriers", RunShared<Nothing, 32>}},
     {kCausality,
      {"GlobalTreeWithBarriers", RunGlobal<Barrier>},
      {"GlobalTreeWithoutBarriers", RunGlobal<Nothing>}},
     {kRaces, {"VolatileHint", RunSearch<volatile int>}, {"PlainHint", RunSearch<int>}},
     {kCausality,
      {"VolatileDataDevice", RunHandOver<Device>},
      {"VolatileDataBlock", RunHandOver<Block>}},
     {kRaces, {"OneWord", RunPublish<true>}, {"TwoWords", RunPublish<false>}},
     {kRaces,
      {"VolatileBesideAtomic", RunBeside<ReadVolatile>},
      {"PlainBesideAtomic", RunBeside<ReadPlain>}}});

}  // namespace pairs_volatile
