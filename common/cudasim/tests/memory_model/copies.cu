// Asynchronous copies: what must be waited for, and by whom.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "common/cudasim/tests/memory_model/memory_model.h"

namespace copies {

namespace cg = cooperative_groups;

constexpr int kThreads = 64;
constexpr auto kOfBlock = cuda::thread_scope_block;

template <bool kWaits>
__global__ void GroupCopy(int* in, int* out) {
  __shared__ int tile[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(tile));
  if (kWaits) {
    cg::wait(block);
  } else {
    block.sync();
  }
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

template <int kRead>
__global__ void TwoBatches(int* in, int* out) {
  __shared__ int tiles[2][kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tiles[0], in, sizeof(tiles[0]));
  cg::memcpy_async(block, tiles[1], in + kThreads, sizeof(tiles[1]));
  cg::wait_prior<1>(block);
  out[threadIdx.x] = tiles[kRead][kThreads - 1 - threadIdx.x];
  cg::wait(block);
}

template <int kBut>
__global__ void Primitive(int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(kBut);
  out[threadIdx.x] = tile[threadIdx.x];
}

template <bool kCommits>
__global__ void Commit(int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  if (kCommits) __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// A wait is for the thread's own copies.
template <bool kBarrier>
__global__ void OthersCopies(int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (kBarrier) __syncthreads();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

template <bool kWaits>
__global__ void Source(int* in, int* out) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  if (kWaits) __pipeline_wait_prior(0);
  in[threadIdx.x] = 1;
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The tile is filled again while other threads may still read it.
template <bool kBarrier>
__global__ void Refill(int* in, int* out) {
  __shared__ int tile[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    cg::memcpy_async(block, tile, in + i * kThreads, sizeof(tile));
    cg::wait(block);
    sum += tile[kThreads - 1 - threadIdx.x];
    if (kBarrier) block.sync();
  }
  out[threadIdx.x] = sum;
}

template <bool kWaits>
__global__ void WithBarrier(int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<kOfBlock> bar;
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
  auto token = bar.arrive();
  if (kWaits) bar.wait(std::move(token));
  out[threadIdx.x] = tile[threadIdx.x];
}

// The stage is given back before or after its last read.
template <bool kEarly>
__global__ void Stages(int* in, int* out) {
  __shared__ int tiles[2][kThreads];
  __shared__ cuda::pipeline_shared_state<kOfBlock, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0, filled = 0; i < 4; ++i) {
    for (; filled < 4 && filled < i + 2; ++filled) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tiles[filled % 2], in + filled * kThreads, sizeof(tiles[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    if (kEarly) pipe.consumer_release();
    sum += tiles[i % 2][kThreads - 1 - threadIdx.x];
    if (!kEarly) pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

template <bool kWaits>
__global__ void OwnPipeline(int* in, int* out) {
  __shared__ int tile[kThreads];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  if (kWaits) pipe.consumer_wait();
  out[threadIdx.x] = tile[threadIdx.x];
  pipe.consumer_release();
}

template <bool kWaits>
__global__ void Mbarrier(int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0) __mbarrier_init(&bar, kThreads);
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_arrive_on(&bar);
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (kWaits && !__mbarrier_test_wait(&bar, token)) continue;
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

const bool listed = AddPairs(
    {PairOf<TwoWarps, GroupCopy<true>, GroupCopy<false>>(kAsynchronous, "GroupWaits", "GroupSyncs"),
     PairOf<TwoWarps, TwoBatches<0>, TwoBatches<1>>(kAsynchronous, "FirstOfTwo", "SecondOfTwo"),
     PairOf<TwoWarps, Primitive<0>, Primitive<1>>(kAsynchronous, "AllButNone", "AllButOne"),
     PairOf<TwoWarps, Commit<true>, Commit<false>>(kAsynchronous, "Commits", "CommitsNot"),
     PairOf<TwoWarps, OthersCopies<true>, OthersCopies<false>>(kCausality, "WaitAndSync",
                                                               "WaitOnly"),
     PairOf<TwoWarps, Source<true>, Source<false>>(kAsynchronous, "SourceAfterWait", "SourceEarly"),
     PairOf<TwoWarps, Refill<true>, Refill<false>>(kCausality, "RefillAfterSync", "RefillEarly"),
     PairOf<TwoWarps, WithBarrier<true>, WithBarrier<false>>(kAsynchronous, "BarrierWaits",
                                                             "BarrierArrivesOnly"),
     PairOf<TwoWarps, Stages<false>, Stages<true>>(kCausality, "ReleaseLate", "ReleaseEarly"),
     PairOf<TwoWarps, OwnPipeline<true>, OwnPipeline<false>>(kOrder, "OwnWaits", "OwnWaitsNot"),
     PairOf<TwoWarps, Mbarrier<true>, Mbarrier<false>>(kAsynchronous, "ArriveOn", "ArriveOnOnly")});

}  // namespace copies
