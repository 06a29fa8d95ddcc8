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

// Threads write the same value, or values of their own.
template <bool kSame>
__global__ void Tell(volatile int* word) {
  if (IsFirst() || IsLast()) *word = kSame ? 1 : static_cast<int>(1 + blockIdx.x + threadIdx.x);
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

// A hint to stop: written by one thread, read by all.
template <class Word>
__global__ void Search(Word* found, int* steps) {
  for (int i = 0; i < 100; ++i) {
    if (*found != 0) return;
    if (IsLast() && i == 50) *found = 1;
    steps[threadIdx.x] = i;
  }
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

// Two words, both 1 at the end. The thread that waits for the first must look whether the second is
// there; the second says that the first is there, but only a fence orders the two.
template <bool kSecond>
__global__ void TakeTwo(volatile int* first, volatile int* second, int* out) {
  if (IsLast()) {
    *first = 1;
    *second = 1;
  } else {
    while (*(kSecond ? second : first) == 0) __nanosleep(20);
    *out = kSecond ? *first : *second;
  }
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

const bool listed = AddPairs(
    {PairOf<TwoBlocks, CountAll<AddAtomically>, CountAll<AddVolatile>>(
         kAtomicity, "CountAtomically", "CountVolatile"),
     PairOf<TwoBlocks, CountAll<LookAt>, CountAll<AddInTwoLines>>(kAtomicity, "LookOnly",
                                                                  "CountInTwoLines"),
     PairOf<TwoBlocks, Tell<true>, Tell<false>>(kVolatile, "SameValue", "OwnValue"),
     PairOf<Shape<1, 128>, SumInShared<Barrier, 128>, SumInShared<WarpBarrier, 128>>(
         kCausality, "TreeWithBarriersAgain", "TreeWithWarpBarriers"),
     PairOf<Shape<1, 32>, SumInShared<WarpBarrier, 32>, SumInShared<Nothing, 32>>(
         kCausality, "WarpWithBarriers", "WarpWithoutBarriers"),
     PairOf<TwoWarps, Search<volatile int>, Search<int>>(kRaces, "VolatileHint", "PlainHint"),
     PairOf<TwoBlocks, HandOver<Device>, HandOver<Block>>(kCausality, "VolatileDataDevice",
                                                          "VolatileDataBlock"),
     PairOf<TwoBlocks, TakeTwo<false>, TakeTwo<true>>(kOrder, "WaitsForTheFirst",
                                                      "WaitsForTheSecond"),
     PairOf<TwoBlocks, Publish<true>, Publish<false>>(kRaces, "OneWord", "TwoWords"),
     PairOf<TwoBlocks, ReadBesideAtomics<ReadVolatile>, ReadBesideAtomics<ReadPlain>>(
         kRaces, "VolatileBesideAtomic", "PlainBesideAtomic")});

}  // namespace pairs_volatile
