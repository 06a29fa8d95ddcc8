// cuda::barrier, cuda::latch, cuda::counting_semaphore and the mbarrier primitives.
#include <cuda_awbarrier_primitives.h>

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/cstdint>

#include "common/cudasim/tests/features/test.h"

namespace {

constexpr auto kBlockScope = cuda::thread_scope_block;
constexpr auto kDeviceScope = cuda::thread_scope_device;
using BlockBarrier = cuda::barrier<kBlockScope>;

// Rotates the values by one in each round; the work between arrival and wait is the thread's own.
__global__ void Rotate(int* values, int rounds) {
  __shared__ int ring[2][256];
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int mine = values[threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    ring[i % 2][threadIdx.x] = mine;
    BlockBarrier::arrival_token token = bar.arrive();
    const unsigned next = (threadIdx.x + 1) % blockDim.x;
    bar.wait(std::move(token));
    mine = ring[i % 2][next];
  }
  values[threadIdx.x] = mine;
}

TEST(LibcuTest, ABarrierHoldsABlockForManyRounds) {
  for (const int threads : {1, 31, 33, 256}) {
    std::vector<int> values(threads);
    for (int i = 0; i < threads; ++i) values[i] = i;
    DeviceVector<int> d(values);
    Rotate<<<1, threads>>>(d.get(), 37);
    const std::vector<int> got = d.ToHost();
    for (int i = 0; i < threads; ++i) ASSERT_EQ(got[i], (i + 37) % threads);
  }
}

struct CountRounds {
  int* rounds;
  __device__ void operator()() const { ++*rounds; }
};

// Thread t leaves after round t; the completion counts the rounds that the others see.
__global__ void Drop(int* seen) {
  __shared__ int rounds;
  __shared__ cuda::barrier<kBlockScope, CountRounds> bar;
  if (threadIdx.x == 0) {
    rounds = 0;
    init(&bar, blockDim.x, CountRounds{&rounds});
  }
  __syncthreads();
  for (unsigned i = 0; i < threadIdx.x; ++i) bar.arrive_and_wait();
  seen[threadIdx.x] = rounds;
  bar.arrive_and_drop();
}

TEST(LibcuTest, ThreadsDropOutAndTheLastArrivalCompletesThePhase) {
  const std::vector<int> got = StoredBy(Drop, 40, 40);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(got[i], i);
}

__global__ void Parity(int* out) {
  __shared__ BlockBarrier bar;
  __shared__ int value;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 32) {
      value = i;
      (void)bar.arrive();
    }
    if (threadIdx.x == 0) {
      if (i % 2 == 0) {
        bar.wait_parity(false);
      } else {
        while (!bar.try_wait_parity_for(true, cuda::std::chrono::nanoseconds(100))) continue;
      }
      out[i] = value;
    }
    __syncthreads();
  }
}

TEST(LibcuTest, WaitsByTheParityOfAPhase) {
  EXPECT_EQ(StoredBy(Parity, 4, 64), (std::vector<int>{0, 1, 2, 3}));
}

__global__ void InitFor(cuda::barrier<kDeviceScope>* bar, int expected) { init(bar, expected); }

__global__ void MeetAcrossBlocks(cuda::barrier<kDeviceScope>* bar, int* data, int* sums) {
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) {
      data[blockIdx.x] = round;
      bar->arrive_and_wait();
      int sum = 0;
      for (unsigned i = 0; i < gridDim.x; ++i) sum += data[i];
      sums[blockIdx.x] = sum;
      bar->arrive_and_wait();
    }
  }
}

TEST(LibcuTest, ABarrierInDeviceMemoryHoldsBlocks) {
  DeviceVector<cuda::std::uint64_t> memory(1);
  DeviceVector<int> data(8);
  DeviceVector<int> sums(8);
  auto* const bar = reinterpret_cast<cuda::barrier<kDeviceScope>*>(memory.get());
  InitFor<<<1, 1>>>(bar, 8);
  MeetAcrossBlocks<<<8, 32>>>(bar, data.get(), sums.get());
  EXPECT_EQ(sums.ToHost(), std::vector<int>(8, 24));
}

// Latches and semaphores have no default constructor, so shared memory has room for them.
template <class T>
struct alignas(T) Room {
  unsigned char bytes[sizeof(T)];
};
using BlockLatch = cuda::latch<kBlockScope>;
using BlockSemaphore = cuda::counting_semaphore<kBlockScope, 4>;

// The first warp starts the others, which count down when they are done.
__global__ void StartAndJoin(int* out) {
  __shared__ Room<BlockLatch> room[2];
  auto& start = *reinterpret_cast<BlockLatch*>(&room[0]);
  auto& done = *reinterpret_cast<BlockLatch*>(&room[1]);
  __shared__ int input;
  __shared__ int results[128];
  if (threadIdx.x == 0) {
    new (&start) BlockLatch(1);
    new (&done) BlockLatch(blockDim.x - 32);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    input = 5;
    start.count_down();
    done.wait();
    int sum = 0;
    for (unsigned i = 32; i < blockDim.x; ++i) sum += results[i];
    *out = sum;
  } else if (threadIdx.x >= 32) {
    start.wait();
    results[threadIdx.x] = input;
    done.count_down();
  }
}

TEST(LibcuTest, LatchesStartAndJoin) {
  EXPECT_EQ(StoredBy(StartAndJoin, 1, 128), std::vector<int>{5 * 96});
}

// A ring of four places between one producer and one consumer.
__global__ void Ring(int* out, int items) {
  __shared__ int ring[4];
  __shared__ Room<BlockSemaphore> room[2];
  auto& empty = *reinterpret_cast<BlockSemaphore*>(&room[0]);
  auto& full = *reinterpret_cast<BlockSemaphore*>(&room[1]);
  if (threadIdx.x == 0) {
    new (&empty) BlockSemaphore(4);
    new (&full) BlockSemaphore(0);
  }
  __syncthreads();
  for (int i = 0; i < items; ++i) {
    if (threadIdx.x == 0) {
      empty.acquire();
      ring[i % 4] = i * i;
      full.release();
    } else if (threadIdx.x == 32) {
      while (!full.try_acquire()) continue;
      out[i] = ring[i % 4];
      empty.release();
    }
  }
}

TEST(LibcuTest, SemaphoresGuardARing) {
  DeviceVector<int> out(50);
  Ring<<<1, 64>>>(out.get(), 50);
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(got[i], i * i);
}

__global__ void Mbarrier(int* out) {
  __shared__ __mbarrier_t bar;
  __shared__ int values[96];
  if (threadIdx.x == 0) __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_try_wait(&bar, token, 100)) continue;
  out[threadIdx.x] = values[95 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_inval(&bar);
}

TEST(LibcuTest, PrimitivesMeetLikeTheClass) {
  const std::vector<int> got = StoredBy(Mbarrier, 96, 96);
  for (int i = 0; i < 96; ++i) ASSERT_EQ(got[i], 95 - i);
}

TEST(LibcuTest, TheHostHasTheSameClasses) {
  cuda::std::barrier<> bar(1);
  bar.arrive_and_wait();
  auto token = bar.arrive();
  bar.wait(std::move(token));
  EXPECT_GE(cuda::std::barrier<>::max(), (1 << 20) - 1);
  cuda::std::atomic<int> count(3);
  EXPECT_EQ(count.fetch_add(2), 3);
  EXPECT_EQ(count.load(), 5);
}

}  // namespace
