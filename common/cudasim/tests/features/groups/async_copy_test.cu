// Asynchronous copies: cooperative groups, cuda::memcpy_async, pipelines and the primitives.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <numeric>

#include "common/cudasim/tests/features/test.h"

namespace {

namespace cg = cooperative_groups;

constexpr int kThreads = 96;
constexpr int kTiles = 5;
constexpr auto kOfBlock = cuda::thread_scope_block;

std::vector<int> Iota(int count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// What each kernel below makes: element t of the result is the sum over all tiles of the element
// that mirrors t.
std::vector<int> Expected(const std::vector<int>& in) {
  std::vector<int> sums(kThreads, 0);
  for (int tile = 0; tile < kTiles; ++tile) {
    for (int t = 0; t < kThreads; ++t) sums[t] += in[tile * kThreads + kThreads - 1 - t];
  }
  return sums;
}

void ExpectSums(void (*kernel)(const int*, int*)) {
  const std::vector<int> values = Iota(kTiles * kThreads);
  DeviceVector<int> in(values);
  DeviceVector<int> out(kThreads);
  kernel<<<1, kThreads>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost(), Expected(values));
}

__global__ void Group(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    cg::memcpy_async(block, tile, in + i * kThreads, cuda::aligned_size_t<16>(sizeof(tile)));
    cg::wait(block);
    sum += tile[kThreads - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

__global__ void WithBarrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<kOfBlock> bar;
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    if (threadIdx.x == 0) cuda::memcpy_async(tile, in + i * kThreads, sizeof(tile), bar);
    bar.arrive_and_wait();
    sum += tile[kThreads - 1 - threadIdx.x];
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

template <int kStages>
__global__ void SharedPipeline(const int* in, int* out) {
  __shared__ int tiles[kStages][kThreads];
  __shared__ cuda::pipeline_shared_state<kOfBlock, kStages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0, filled = 0; i < kTiles; ++i) {
    for (; filled < kTiles && filled < i + kStages; ++filled) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tiles[filled % kStages], in + filled * kThreads, sizeof(tiles[0]),
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tiles[i % kStages][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// The first warp copies, the others add up; the launch has one warp more than there are sums.
template <bool kByRole>
__global__ void Partitioned(const int* in, int* out) {
  __shared__ int tiles[2][kThreads];
  __shared__ cuda::pipeline_shared_state<kOfBlock, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = kByRole ? cuda::make_pipeline(block, &state,
                                            produces ? cuda::pipeline_role::producer
                                                     : cuda::pipeline_role::consumer)
                      : cuda::make_pipeline(block, &state, std::size_t{32});
  if (produces) {
    const auto warp = cg::tiled_partition<32>(block);
    for (int i = 0; i < kTiles; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, tiles[i % 2], in + i * kThreads, sizeof(tiles[0]), pipe);
      pipe.producer_commit();
    }
    return;
  }
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    pipe.consumer_wait();
    sum += tiles[i % 2][kThreads - 1 - (threadIdx.x - 32)];
    pipe.consumer_release();
  }
  out[threadIdx.x - 32] = sum;
}

__global__ void Primitives(const int* in, int* out) {
  __shared__ int tiles[2][kThreads];
  const auto fill = [&](int i) {
    __pipeline_memcpy_async(&tiles[i % 2][threadIdx.x], &in[i * kThreads + threadIdx.x], 4);
    __pipeline_commit();
  };
  fill(0);
  int sum = 0;
  for (int i = 0; i < kTiles; ++i) {
    if (i + 1 < kTiles) fill(i + 1);
    __pipeline_wait_prior(i + 1 < kTiles ? 1 : 0);
    __syncthreads();
    sum += tiles[i % 2][kThreads - 1 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

TEST(AsyncCopyTest, GroupsCopyAndWait) { ExpectSums(Group); }

TEST(AsyncCopyTest, ABarrierCompletesCopies) { ExpectSums(WithBarrier); }

TEST(AsyncCopyTest, PipelinesHaveStages) {
  ExpectSums(SharedPipeline<1>);
  ExpectSums(SharedPipeline<4>);
}

TEST(AsyncCopyTest, PipelinesHaveProducersAndConsumers) {
  const std::vector<int> values = Iota(kTiles * kThreads);
  DeviceVector<int> in(values);
  DeviceVector<int> out(kThreads);
  Partitioned<false><<<1, kThreads + 32>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost(), Expected(values));
  DeviceVector<int> again(kThreads);
  Partitioned<true><<<1, kThreads + 32>>>(in.get(), again.get());
  EXPECT_EQ(again.ToHost(), Expected(values));
}

TEST(AsyncCopyTest, PrimitivesWaitForAllButTheLastBatches) { ExpectSums(Primitives); }

__global__ void Zeros(const int* in, int* out) {
  __shared__ int4 part;
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(&part, in, 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[0] = part.x;
    out[1] = part.y;
    out[2] = part.z;
    out[3] = part.w;
  }
}

TEST(AsyncCopyTest, FillsTheEndWithZeros) {
  DeviceVector<int> in(std::vector<int>{1, 2});
  DeviceVector<int> out(std::vector<int>{9, 9, 9, 9});
  Zeros<<<1, 32>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{1, 2, 0, 0}));
}

}  // namespace
