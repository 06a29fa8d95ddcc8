// Atomic operations: their scope, locks, counts of arrivals, barriers beside them.
#include "common/cudasim/tests/memory_model/memory_model.h"

namespace atomics {

#define OPERATION(Name, ...)                              \
  struct Name {                                           \
    static __device__ void Do(int* word) { __VA_ARGS__; } \
  }
OPERATION(Add, atomicAdd(word, 2));
OPERATION(AddInBlock, atomicAdd_block(word, 2));
OPERATION(Swap, atomicCAS(word, 0, 2));
OPERATION(SwapInBlock, atomicCAS_block(word, 0, 2));
OPERATION(AddSystem, atomicAdd_system(word, 2));
OPERATION(Store, *word = 2);
OPERATION(Increment, *word += 2);

template <class First, class Last>
__global__ void Both(int* word) {
  if (IsFirst()) First::Do(word);
  if (IsLast()) Last::Do(word);
}

struct Lock {
  static __device__ bool Take(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
  static __device__ void Give(int* lock) { atomicExch(lock, 0); }
};
struct LockOfBlock {
  static __device__ bool Take(int* lock) { return atomicCAS_block(lock, 0, 1) == 0; }
  static __device__ void Give(int* lock) { atomicExch_block(lock, 0); }
};
struct LockGivenByStore {
  static __device__ bool Take(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
  static __device__ void Give(int* lock) { *static_cast<volatile int*>(lock) = 0; }
};

template <class Mutex, class Taken, class Giving>
__global__ void AddUnderLock(int* lock, int* total) {
  if (!IsFirst() && !IsLast()) return;
  while (!Mutex::Take(lock)) __nanosleep(20);
  Taken::Fence();
  *total += 1;
  Giving::Fence();
  Mutex::Give(lock);
}

// All threads of block 0 write, one sets the flag; one thread of block 1 waits, all read.
template <bool kWriterWaits, bool kReaderWaits>
__global__ void HandOverBlock(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    if (kWriterWaits) __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) __nanosleep(20);
      __threadfence();
    }
    if (kReaderWaits) __syncthreads();
    out[t] = data[63 - t];
  }
}

template <bool kWaits>
__global__ void HandOverWarp(int* data, int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    if (kWaits) __syncwarp();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) == 0) __nanosleep(20);
    __threadfence();
    out[t] = data[31 - t];
  }
}

// The last block adds up what all have stored.
template <class Writer, class Reader>
__global__ void LastAddsUp(int* parts, unsigned* done, int* sum) {
  parts[blockIdx.x] = 1;
  Writer::Fence();
  if (atomicInc(done, gridDim.x) != gridDim.x - 1) return;
  Reader::Fence();
  for (unsigned i = 0; i < gridDim.x; ++i) *sum += parts[i];
}

// As LastAddsUp, with blocks of two warps: all threads store, the first one counts its block.
template <class Before, class Behind>
__global__ void LastBlockAddsUp(int* parts, unsigned* done, int* sum) {
  __shared__ bool is_last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  Before::Fence();
  __syncthreads();
  Behind::Fence();
  if (threadIdx.x == 0) is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  __threadfence();
  for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) *sum += parts[i];
}

template <unsigned kThread>
struct FenceOf {
  static __device__ void Fence() {
    if (threadIdx.x == kThread) __threadfence();
  }
};

// The first thread waits for a flag, and takes it back by an ordinary write.
template <class Flag>
__global__ void TakeBack(int* flag) {
  if (IsLast()) atomicExch(flag, 1);
  if (IsFirst()) {
    while (Flag::Read(flag) == 0) __nanosleep(20);
    *flag = 0;
  }
}

struct AtomicRead {
  static __device__ int Read(int* word) { return atomicAdd(word, 0); }
};
struct AtomicReadInBlock {
  static __device__ int Read(int* word) { return atomicAdd_block(word, 0); }
};
struct VolatileRead {
  static __device__ int Read(int* word) { return *static_cast<volatile int*>(word); }
};
struct NoRead {
  static __device__ int Read(int*) { return 1; }
};

// The guide's example: the last block resets the count, so that the next launch can use it.
template <bool kIsLastOnly>
__global__ void ResetCount(unsigned* done) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1 && (is_last || !kIsLastOnly)) *done = 0;
}

// The last thread makes the sum 0 again; without the barrier it may do so too early.
template <bool kWaits>
__global__ void ResetSum(int* sum) {
  atomicAdd(sum, 1 + threadIdx.x);
  if (kWaits) __syncthreads();
  if (threadIdx.x == blockDim.x - 1) *sum = 0;
}

// A lock of the grid that two warps of the first block meet before any other block has run.
template <class Taken>
__global__ void AddUnderLockOfGrid(int* lock, int* total) {
  if (threadIdx.x % 32 != 0) return;
  while (!Lock::Take(lock)) __nanosleep(20);
  Taken::Fence();
  *total += 1;
  __threadfence();
  Lock::Give(lock);
}

const bool listed = AddPairs(
    {PairOf<TwoBlocks, Both<Add, Add>, Both<AddInBlock, AddInBlock>>(kStrong, "AddDevice",
                                                                     "AddBlock"),
     PairOf<TwoBlocks, Both<Swap, Swap>, Both<SwapInBlock, SwapInBlock>>(kStrong, "SwapDevice",
                                                                         "SwapBlock"),
     PairOf<TwoBlocks, Both<Add, Add>, Both<AddInBlock, Add>>(kStrong, "FirstIsDevice",
                                                              "FirstIsBlock"),
     PairOf<TwoBlocks, Both<Add, AddSystem>, Both<Add, AddInBlock>>(kStrong, "LastIsSystem",
                                                                    "LastIsBlock"),
     PairOf<TwoWarps, Both<Add, Add>, Both<Store, Add>>(kRaces, "AllAtomic", "StoreFirst"),
     PairOf<TwoWarps, Both<Add, Add>, Both<Add, Store>>(kRaces, "AllAtomicAgain", "StoreLast"),
     PairOf<OneWarp, Both<Add, Add>, Both<Increment, Increment>>(kRaces, "AddsOfLanes",
                                                                 "IncrementsOfLanes"),
     PairOf<TwoBlocks, AddUnderLock<Lock, Device, Device>, AddUnderLock<Lock, Device, None>>(
         kCausality, "LockWithFences", "LockGivenWithoutFence"),
     PairOf<TwoBlocks, AddUnderLock<Lock, Device, Device>, AddUnderLock<Lock, None, Device>>(
         kCausality, "LockWithFencesAgain", "LockTakenWithoutFence"),
     {kCausality,
      {"LockOfOneBlock", Run<TwoWarps, AddUnderLock<LockOfBlock, Block, Block>>},
      {"LockOfBlockInTwo", Run<TwoBlocks, AddUnderLock<LockOfBlock, Device, Device>>}},
     PairOf<Shape<2, 64>, AddUnderLockOfGrid<Device>, AddUnderLockOfGrid<None>>(
         kCausality, "LockOfGrid", "LockOfGridTakenWithoutFence"),
     PairOf<TwoBlocks, AddUnderLock<LockGivenByStore, Device, Device>,
            AddUnderLock<LockGivenByStore, Device, None>>(kCausality, "LockGivenByStore",
                                                          "LockGivenByStoreWithoutFence"),
     PairOf<Shape<2, 64>, HandOverBlock<true, true>, HandOverBlock<false, true>>(
         kCausality, "BarrierBeforeFlag", "NoBarrierBeforeFlag"),
     PairOf<Shape<2, 64>, HandOverBlock<true, true>, HandOverBlock<true, false>>(
         kCausality, "BarrierAfterFlag", "NoBarrierAfterFlag"),
     PairOf<Shape<4, 64>, LastBlockAddsUp<None, FenceOf<0>>, LastBlockAddsUp<FenceOf<0>, None>>(
         kCausality, "FenceBehindTheBarrier", "FenceInFrontOfTheBarrier"),
     PairOf<Shape<4, 64>, LastBlockAddsUp<Device, None>, LastBlockAddsUp<None, FenceOf<63>>>(
         kCausality, "FenceOfAllInFrontOfTheBarrier", "FenceOfAnotherThreadBehindIt"),
     PairOf<Shape<2, 32>, HandOverWarp<true>, HandOverWarp<false>>(kCausality, "WarpBeforeFlag",
                                                                   "NoWarpBeforeFlag"),
     PairOf<Shape<4, 1>, LastAddsUp<Device, Device>, LastAddsUp<None, Device>>(
         kSynchronization, "LastBlockAddsUp", "LastBlockWithoutWriterFence"),
     PairOf<Shape<4, 1>, LastAddsUp<Device, Device>, LastAddsUp<Device, None>>(
         kSynchronization, "LastBlockWithReaderFence", "LastBlockWithoutReaderFence"),
     PairOf<TwoBlocks, TakeBack<AtomicRead>, TakeBack<AtomicReadInBlock>>(
         kCausality, "FlagTakenBack", "FlagTakenBackInBlock"),
     PairOf<TwoBlocks, TakeBack<VolatileRead>, TakeBack<NoRead>>(
         kCausality, "VolatileFlagTakenBack", "FlagNeverRead"),
     PairOf<Shape<4, 64>, ResetCount<true>, ResetCount<false>>(kCausality, "CountResetByTheLast",
                                                               "CountResetByAll"),
     PairOf<TwoWarps, ResetSum<true>, ResetSum<false>>(kRaces, "SumResetBehindABarrier",
                                                       "SumResetByTheLastThread")});

}  // namespace atomics
