// Atomic operations: their scope, locks, counts of arrivals, barriers beside them.
#include "common/cudasim/tests/memory_model/memory_model.h"

namespace atomics {

#define OPERATION(Name, ...)                              \
  struct Name {                                           \
    static __device__ void Do(int* word) { __VA_ARGS__; } \
  }
OPERATION(Add, atomicAdd(word, 2));
OPERATION(AddInBlock, atomicAdd_block(word, 2));
OPERATION(Max, atomicMax(word, 2));
OPERATION(MaxInBlock, atomicMax_block(word, 2));
OPERATION(Or, atomicOr(word, 2));
OPERATION(OrInBlock, atomicOr_block(word, 2));
OPERATION(Swap, atomicCAS(word, 0, 2));
OPERATION(SwapInBlock, atomicCAS_block(word, 0, 2));
OPERATION(Exch, atomicExch(word, 2));
OPERATION(ExchInBlock, atomicExch_block(word, 2));
OPERATION(AddSystem, atomicAdd_system(word, 2));
OPERATION(Store, *word = 2);
OPERATION(Increment, *word += 2);

template <class First, class Last>
__global__ void Both(int* word) {
  if (IsFirst()) First::Do(word);
  if (IsLast()) Last::Do(word);
}

template <class Threads, class First, class Last>
void Run() {
  int* const word = Zeros(1);
  Both<First, Last><<<Threads::kBlocks, Threads::kThreads>>>(word);
  cudaFree(word);
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

template <class Threads, class Mutex, class Taken, class Giving>
void RunLock() {
  int* const memory = Zeros(64);
  AddUnderLock<Mutex, Taken, Giving><<<Threads::kBlocks, Threads::kThreads>>>(memory, memory + 32);
  cudaFree(memory);
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

template <bool kWriterWaits, bool kReaderWaits>
void RunBlocks() {
  int* const memory = Zeros(160);
  HandOverBlock<kWriterWaits, kReaderWaits><<<2, 64>>>(memory, memory + 64, memory + 96);
  cudaFree(memory);
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

template <bool kWaits>
void RunWarps() {
  int* const memory = Zeros(96);
  HandOverWarp<kWaits><<<2, 32>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
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

template <class Writer, class Reader>
void RunLast() {
  int* const memory = Zeros(64);
  LastAddsUp<Writer, Reader>
      <<<4, 1>>>(memory, reinterpret_cast<unsigned*>(memory + 32), memory + 48);
  cudaFree(memory);
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

template <class Before, class Behind>
void RunLastBlock() {
  int* const memory = Zeros(4 * 64 + 64);
  LastBlockAddsUp<Before, Behind>
      <<<4, 64>>>(memory, reinterpret_cast<unsigned*>(memory + 256), memory + 288);
  cudaFree(memory);
}

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

template <class Flag>
void RunTakeBack() {
  int* const flag = Zeros(1);
  TakeBack<Flag><<<TwoBlocks::kBlocks, TwoBlocks::kThreads>>>(flag);
  cudaFree(flag);
}

// The guide's example: the last block resets the count, so that the next launch can use it.
template <bool kIsLastOnly>
__global__ void ResetCount(unsigned* done) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1 && (is_last || !kIsLastOnly)) *done = 0;
}

template <bool kIsLastOnly>
void RunReset() {
  int* const memory = Zeros(1);
  ResetCount<kIsLastOnly><<<4, 64>>>(reinterpret_cast<unsigned*>(memory));
  cudaFree(memory);
}

// The last thread makes the sum 0 again; without the barrier it may do so too early.
template <bool kWaits>
__global__ void ResetSum(int* sum) {
  atomicAdd(sum, 1 + threadIdx.x);
  if (kWaits) __syncthreads();
  if (threadIdx.x == blockDim.x - 1) *sum = 0;
}

template <bool kWaits>
void RunSum() {
  int* const memory = Zeros(1);
  ResetSum<kWaits><<<1, 64>>>(memory);
  cudaFree(memory);
}

// Each thread stores another value.
template <class Mutex>
__global__ void StoreUnderLock(int* lock, volatile int* last) {
  while (!Mutex::Take(lock)) __nanosleep(20);
  __threadfence();
  *last = 1 + blockIdx.x;
  __threadfence();
  Mutex::Give(lock);
}

template <class Mutex>
void RunStores() {
  int* const memory = Zeros(2);
  StoreUnderLock<Mutex><<<2, 1>>>(memory, memory + 1);
  cudaFree(memory);
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

template <class Taken>
void RunLockOfGrid() {
  int* const memory = Zeros(64);
  AddUnderLockOfGrid<Taken><<<2, 64>>>(memory, memory + 32);
  cudaFree(memory);
}

constexpr char kStrong[] = "Morally Strong Operations";
constexpr char kRaces[] = "Conflict and Data-races";
constexpr char kCausality[] = "Causality Order";
constexpr char kSynchronization[] = "Memory Synchronization";

const bool listed = AddPairs(
    {{kStrong,
      {"AddDevice", Run<TwoBlocks, Add, Add>},
      {"AddBlock", Run<TwoBlocks, AddInBlock, AddInBlock>}},
     {kStrong,
      {"MaxDevice", Run<TwoBlocks, Max, Max>},
      {"MaxBlock", Run<TwoBlocks, MaxInBlock, MaxInBlock>}},
     {kStrong,
      {"OrDevice", Run<TwoBlocks, Or, Or>},
      {"OrBlock", Run<TwoBlocks, OrInBlock, OrInBlock>}},
     {kStrong,
      {"SwapDevice", Run<TwoBlocks, Swap, Swap>},
      {"SwapBlock", Run<TwoBlocks, SwapInBlock, SwapInBlock>}},
     {kStrong,
      {"ExchangeDevice", Run<TwoBlocks, Exch, Exch>},
      {"ExchangeBlock", Run<TwoBlocks, ExchInBlock, ExchInBlock>}},
     {kStrong,
      {"FirstIsDevice", Run<TwoBlocks, Add, Add>},
      {"FirstIsBlock", Run<TwoBlocks, AddInBlock, Add>}},
     {kStrong,
      {"LastIsSystem", Run<TwoBlocks, Add, AddSystem>},
      {"LastIsBlock", Run<TwoBlocks, Add, AddInBlock>}},
     {kRaces, {"AllAtomic", Run<TwoWarps, Add, Add>}, {"StoreFirst", Run<TwoWarps, Store, Add>}},
     {kRaces,
      {"AllAtomicAgain", Run<TwoWarps, Add, Add>},
      {"StoreLast", Run<TwoWarps, Add, Store>}},
     {kRaces,
      {"AddsOfLanes", Run<OneWarp, Add, Add>},
      {"IncrementsOfLanes", Run<OneWarp, Increment, Increment>}},
     {kCausality,
      {"LockWithFences", RunLock<TwoBlocks, Lock, Device, Device>},
      {"LockGivenWithoutFence", RunLock<TwoBlocks, Lock, Device, None>}},
     {kCausality,
      {"LockWithFencesAgain", RunLock<TwoBlocks, Lock, Device, Device>},
      {"LockTakenWithoutFence", RunLock<TwoBlocks, Lock, None, Device>}},
     {kCausality,
      {"LockOfOneBlock", RunLock<TwoWarps, LockOfBlock, Block, Block>},
      {"LockOfBlockInTwo", RunLock<TwoBlocks, LockOfBlock, Device, Device>}},
     {kCausality,
      {"LockOfGrid", RunLockOfGrid<Device>},
      {"LockOfGridTakenWithoutFence", RunLockOfGrid<None>}},
     {kCausality,
      {"StoresUnderLock", RunStores<Lock>},
      {"StoresUnderLockOfBlock", RunStores<LockOfBlock>}},
     {kCausality,
      {"LockGivenByStore", RunLock<TwoBlocks, LockGivenByStore, Device, Device>},
      {"LockGivenByStoreWithoutFence", RunLock<TwoBlocks, LockGivenByStore, Device, None>}},
     {kCausality,
      {"BarrierBeforeFlag", RunBlocks<true, true>},
      {"NoBarrierBeforeFlag", RunBlocks<false, true>}},
     {kCausality,
      {"BarrierAfterFlag", RunBlocks<true, true>},
      {"NoBarrierAfterFlag", RunBlocks<true, false>}},
     {kCausality,
      {"FenceBehindTheBarrier", RunLastBlock<None, FenceOf<0>>},
      {"FenceInFrontOfTheBarrier", RunLastBlock<FenceOf<0>, None>}},
     {kCausality,
      {"FenceOfAllInFrontOfTheBarrier", RunLastBlock<Device, None>},
      {"FenceOfAnotherThreadBehindIt", RunLastBlock<None, FenceOf<63>>}},
     {kCausality, {"WarpBeforeFlag", RunWarps<true>}, {"NoWarpBeforeFlag", RunWarps<false>}},
     {kSynchronization,
      {"LastBlockAddsUp", RunLast<Device, Device>},
      {"LastBlockWithoutWriterFence", RunLast<None, Device>}},
     {kSynchronization,
      {"LastBlockWithReaderFence", RunLast<Device, Device>},
      {"LastBlockWithoutReaderFence", RunLast<Device, None>}},
     {kCausality,
      {"FlagTakenBack", RunTakeBack<AtomicRead>},
      {"FlagTakenBackInBlock", RunTakeBack<AtomicReadInBlock>}},
     {kCausality,
      {"VolatileFlagTakenBack", RunTakeBack<VolatileRead>},
      {"FlagNeverRead", RunTakeBack<NoRead>}},
     {kCausality, {"CountResetByTheLast", RunReset<true>}, {"CountResetByAll", RunReset<false>}},
     {kRaces,
      {"SumResetBehindABarrier", RunSum<true>},
      {"SumResetByTheLastThread", RunSum<false>}}});

}  // namespace atomics
