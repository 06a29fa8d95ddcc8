// Threads that wait for each other without a barrier: locks, flags and tickets, with their fences.
#include "common/cudasim/tests/features/test.h"

namespace correct_order {

constexpr int kBlock = 32;
constexpr int kGrid = 6;

__device__ void Unlock(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

// Lanes of one warp compete: independent thread scheduling lets the holder make progress.
__global__ void AddUnderLockInWarp(int* lock, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += 1;
      Unlock(lock);
      done = true;
    }
  }
}

// A ticket lock.
__global__ void AddInTurn(unsigned* next, volatile unsigned* serving, int* order) {
  if (threadIdx.x != 0) return;
  const unsigned ticket = atomicAdd(next, 1u);
  while (*serving != ticket) {
  }
  __threadfence();
  order[ticket] = static_cast<int>(ticket) + 1 + (ticket > 0 ? order[ticket - 1] : 0);
  __threadfence();
  *serving = ticket + 1;
}

// Block 0 hands a message to the others.
__global__ void Broadcast(int* message, volatile int* ready, int* out) {
  if (blockIdx.x == 0) {
    message[threadIdx.x] = static_cast<int>(threadIdx.x) + 7;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *ready = 1;
    return;
  }
  if (threadIdx.x == 0) {
    while (*ready == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = message[threadIdx.x];
}

// A barrier for all blocks of the grid by counting arrivals.
__device__ void GridBarrier(unsigned* arrived, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void RotateTwice(int* values, unsigned* arrived) {
  const unsigned n = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < 2; ++round) {
    const int next = values[(i + 1) % n];
    GridBarrier(arrived, gridDim.x * (2 * round + 1));
    values[i] = next;
    GridBarrier(arrived, gridDim.x * (2 * round + 2));
  }
}

// One warp produces, the other consumes, synchronised by a flag in shared memory.
__global__ void ProducerConsumer(int* out, int rounds) {
  __shared__ int slot[32];
  __shared__ volatile int full;
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  for (int round = 1; round <= rounds; ++round) {
    if (threadIdx.x < 32) {
      while (full != 0) {
      }
      __threadfence_block();
      slot[lane] = round * 100 + static_cast<int>(lane);
      __syncwarp();
      __threadfence_block();  // after __syncwarp: orders all lanes' writes before the flag
      if (lane == 0) full = 1;
      __syncwarp();
    } else {
      while (full == 0) {
      }
      __threadfence_block();
      out[(round - 1) * 32 + lane] = slot[lane];
      __syncwarp();
      __threadfence_block();
      if (lane == 0) full = 0;
      __syncwarp();
    }
  }
}

// Blocks push and each takes one element off a stack made of indices.
__global__ void LinkNodes(int* head, int* next) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  int old = atomicAdd(head, 0);
  for (;;) {
    next[node] = old;
    const int seen = atomicCAS(head, old, node);
    if (seen == old) break;
    old = seen;
  }
}

TEST(OrderTest, SpinLockWithinWarp) {
  const DeviceVector<int> lock(1), total(1);
  AddUnderLockInWarp<<<2, kBlock>>>(lock.get(), total.get());
  EXPECT_EQ(total.ToHost()[0], 2 * kBlock);
}

TEST(OrderTest, TicketLock) {
  const DeviceVector<unsigned> next(1), serving(1);
  const DeviceVector<int> order(kGrid);
  AddInTurn<<<kGrid, kBlock>>>(next.get(), serving.get(), order.get());
  EXPECT_EQ(order.ToHost(), (std::vector<int>{1, 3, 6, 10, 15, 21}));
}

TEST(OrderTest, MessageFromOneBlockToAll) {
  const DeviceVector<int> message(kBlock), ready(1), out(kGrid * kBlock);
  Broadcast<<<kGrid, kBlock>>>(message.get(), ready.get(), out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = kBlock; i < kGrid * kBlock; ++i) {
    ASSERT_EQ(got[i], i % kBlock + 7);
  }
}

TEST(OrderTest, GridBarrierByCounting) {
  const std::vector<int> values = SmallNumbers(kGrid * kBlock);
  const DeviceVector<int> data(values);
  const DeviceVector<unsigned> arrived(1);
  RotateTwice<<<kGrid, kBlock>>>(data.get(), arrived.get());
  const std::vector<int> got = data.ToHost();
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], values[(i + 2) % values.size()]);
  }
}

// A volatile bound is read as often as a flag that is never set, but no thread waits for it.
__global__ void SumBelow(volatile int* bound, long long* sum) {
  long long total = 0;
  for (int i = 0; i < *bound; ++i) total += i;
  *sum = total;
}

TEST(OrderTest, VolatileLoopBound) {
  constexpr int kBound = 1'000'000;
  const DeviceVector<int> bound(std::vector<int>{kBound});
  const DeviceVector<long long> sum(1);
  SumBelow<<<1, 1>>>(bound.get(), sum.get());
  EXPECT_EQ(sum.ToHost()[0], 1ll * kBound * (kBound - 1) / 2);
}

// Threads look whether others have found a word, and mark it, both on one line.
__global__ void MarkNext(volatile unsigned* marks) {
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned next = (threadIdx.x + i) % kBlock;
    if (marks[next] == 0) marks[next] = 1;
  }
}

__global__ void MarkBeforeMarked(volatile unsigned* marks) {
  if (marks[threadIdx.x] != 0) return;
  const unsigned next = (threadIdx.x + 1) % kBlock;
  if (marks[next] != 0) marks[threadIdx.x] = 1;
}

TEST(OrderTest, ConditionOnTheLineOfAVolatileWrite) {
  const DeviceVector<unsigned> all(kBlock);
  MarkNext<<<1, kBlock>>>(all.get());
  EXPECT_EQ(all.ToHost(), std::vector<unsigned>(kBlock, 1));
  std::vector<unsigned> first(kBlock);
  first[0] = 1;
  const DeviceVector<unsigned> some(first);
  MarkBeforeMarked<<<1, kBlock>>>(some.get());
  EXPECT_EQ(some.ToHost()[kBlock - 1], 1u);
}

TEST(OrderTest, WarpsPassASlot) {
  const DeviceVector<int> out(3 * 32);
  ProducerConsumer<<<1, 64>>>(out.get(), 3);
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 96; ++i) {
    ASSERT_EQ(got[i], (i / 32 + 1) * 100 + i % 32);
  }
}

TEST(OrderTest, ListBuiltByCompareAndSwap) {
  const int nodes = kGrid * kBlock;
  const std::vector<int> none = {-1};
  const DeviceVector<int> head(none), next(nodes);
  LinkNodes<<<kGrid, kBlock>>>(head.get(), next.get());
  const std::vector<int> links = next.ToHost();
  int seen = 0;
  for (int node = head.ToHost()[0]; node != -1 && seen <= nodes; node = links[node]) ++seen;
  EXPECT_EQ(seen, nodes);
}

// The last block to finish changes memory that all blocks have read.
__global__ void ReadThenReplace(int* value, unsigned* finished, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = *value;
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned ticket = atomicAdd(finished, 1u);
  __threadfence();
  if (ticket == gridDim.x - 1) *value = -1;
}

TEST(OrderTest, LastBlockWritesWhatAllRead) {
  constexpr int kBlocks = 20;
  const DeviceVector<int> value(std::vector<int>{7});
  const DeviceVector<int> out(kBlocks * kBlock);
  const DeviceVector<unsigned> finished(1);
  ReadThenReplace<<<kBlocks, kBlock>>>(value.get(), finished.get(), out.get());
  for (const int seen : out.ToHost()) {
    ASSERT_EQ(seen, 7);
  }
  EXPECT_EQ(value.ToHost()[0], -1);
}

// The programming guide's way to build any atomic operation: a plain read of the first value, then
// a compare-and-swap, which fails if the value has changed.
__device__ double AddDouble(double* address, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *bits;
  unsigned long long assumed;
  do {
    assumed = seen;
    seen = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != seen);
  return __longlong_as_double(seen);
}

__global__ void AddDoubles(double* sums) {
  __shared__ double mine;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  AddDouble(&mine, threadIdx.x);
  AddDouble(&mine, 1);
  AddDouble(&sums[1], threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) AddDouble(&sums[0], mine);
}

TEST(OrderTest, PlainReadBeforeCompareAndSwap) {
  constexpr double kSum = kGrid * kBlock * (kBlock - 1) / 2;
  const DeviceVector<double> sums(2);
  AddDoubles<<<kGrid, kBlock>>>(sums.get());
  EXPECT_EQ(sums.ToHost(), (std::vector<double>{kSum + kGrid * kBlock, kSum}));
}

}  // namespace correct_order
