// cuda::barrier, cuda::latch and cuda::counting_semaphore: what they order.
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

#include "common/cudasim/tests/memory_model/memory_model.h"

namespace barriers {

constexpr int kThreads = 64;
constexpr auto kOfBlock = cuda::thread_scope_block;
constexpr auto kOfDevice = cuda::thread_scope_device;

using BlockBarrier = cuda::barrier<kOfBlock>;

// Writes a tile, and reads what another warp wrote.
template <bool kWaits>
__global__ void HandOver(int* out) {
  __shared__ int tile[kThreads];
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, kThreads);
  __syncthreads();
  tile[threadIdx.x] = 1;
  auto token = bar.arrive();
  if (kWaits) bar.wait(std::move(token));
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

// What lies between the arrival and the wait is not ordered.
template <bool kBefore>
__global__ void AroundArrival(int* out) {
  __shared__ int tile[kThreads];
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, kThreads);
  __syncthreads();
  if (kBefore) tile[threadIdx.x] = 1;
  auto token = bar.arrive();
  if (!kBefore) tile[threadIdx.x] = 1;
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

template <bool kSyncs>
__global__ void Init(int* out) {
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, kThreads);
  if (kSyncs) __syncthreads();
  bar.arrive_and_wait();
  out[threadIdx.x] = 1;
}

// The tile is written again in the next round.
template <bool kSecond>
__global__ void Rounds(int* out) {
  __shared__ int tile[kThreads];
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, kThreads);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = i;
    bar.arrive_and_wait();
    out[threadIdx.x] += tile[kThreads - 1 - threadIdx.x];
    if (kSecond) bar.arrive_and_wait();
  }
}

// Two blocks of one thread share a barrier in device memory.
template <cuda::thread_scope kScopes>
__global__ void TwoBlocksMeet(cuda::barrier<kScopes>* bar, int* data, int* out) {
  data[blockIdx.x] = 1;
  bar->arrive_and_wait();
  out[blockIdx.x] = data[1 - blockIdx.x];
}

template <cuda::thread_scope kScopes>
__global__ void InitFor(cuda::barrier<kScopes>* bar, int expected) {
  init(bar, expected);
}

template <cuda::thread_scope kScopes>
void RunTwoBlocks() {
  auto* const bar = reinterpret_cast<cuda::barrier<kScopes>*>(Zeros(2));
  int* const memory = Zeros(64);
  InitFor<<<1, 1>>>(bar, 2);
  TwoBlocksMeet<<<2, 1>>>(bar, memory, memory + 32);
  cudaDeviceSynchronize();
  cudaFree(bar);
  cudaFree(memory);
}

// Latches and semaphores have no default constructor, so shared memory has room for them.
template <class T>
struct alignas(T) Room {
  unsigned char bytes[sizeof(T)];
};
using BlockLatch = cuda::latch<kOfBlock>;
using BlockLock = cuda::binary_semaphore<kOfBlock>;
using BlockSemaphore = cuda::counting_semaphore<kOfBlock, 4>;

template <bool kWaits>
__global__ void Latch(int* out) {
  __shared__ int tile[kThreads];
  __shared__ Room<BlockLatch> room;
  auto& done = *reinterpret_cast<BlockLatch*>(&room);
  if (threadIdx.x == 0) new (&done) BlockLatch(kThreads);
  __syncthreads();
  tile[threadIdx.x] = 1;
  done.count_down();
  if (kWaits) done.wait();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

template <bool kTakes>
__global__ void UnderSemaphore(int* out) {
  __shared__ Room<BlockLock> room;
  auto& lock = *reinterpret_cast<BlockLock*>(&room);
  if (threadIdx.x == 0) new (&lock) BlockLock(1);
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  if (kTakes) lock.acquire();
  *out += 1;
  if (kTakes) lock.release();
}

// The semaphore hands one item over.
template <bool kTakes>
__global__ void Item(int* out) {
  __shared__ int item;
  __shared__ Room<BlockSemaphore> room;
  auto& full = *reinterpret_cast<BlockSemaphore*>(&room);
  if (threadIdx.x == 0) new (&full) BlockSemaphore(0);
  __syncthreads();
  if (threadIdx.x == 0) {
    item = 42;
    full.release();
  } else if (threadIdx.x == 32) {
    if (kTakes) full.acquire();
    *out = item;
  }
}

const bool listed = AddPairs(
    {PairOf<TwoWarps, HandOver<true>, HandOver<false>>(kPatterns, "ArriveAndWait", "ArriveOnly"),
     PairOf<TwoWarps, AroundArrival<true>, AroundArrival<false>>(kPatterns, "WriteBeforeArrival",
                                                                 "WriteAfterArrival"),
     PairOf<TwoWarps, Init<true>, Init<false>>(kRaces, "InitAndSync", "InitOnly"),
     PairOf<TwoWarps, Rounds<true>, Rounds<false>>(kCausality, "TwoWaits", "OneWait"),
     {kScopes,
      {"BarrierOfDevice", RunTwoBlocks<kOfDevice>},
      {"BarrierOfBlock", RunTwoBlocks<kOfBlock>}},
     PairOf<TwoWarps, Latch<true>, Latch<false>>(kPatterns, "LatchWaits", "LatchCountsOnly"),
     PairOf<TwoWarps, UnderSemaphore<true>, UnderSemaphore<false>>(kCausality, "UnderSemaphore",
                                                                   "WithoutSemaphore"),
     PairOf<TwoWarps, Item<true>, Item<false>>(kPatterns, "ItemTaken", "ItemNotTaken")});

}  // namespace barriers
