// Programs that misuse barriers in memory, latches, semaphores and asynchronous copies.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

#include "common/cudasim/tests/bugs/bugs.h"

namespace phases {

constexpr auto kOfBlock = cuda::thread_scope_block;
using BlockBarrier = cuda::barrier<kOfBlock>;

__global__ void Meet(int expected, int arrivals) {
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, expected);
  __syncthreads();
  (void)bar.arrive(arrivals);
}

PROGRAM(CountOfZero) { Meet<<<1, 32>>>(0, 1); }

PROGRAM(MoreArrivalsThanExpected) { Meet<<<1, 32>>>(32, 40); }

__global__ void MeetAll(int expected) {
  __shared__ BlockBarrier bar;
  if (threadIdx.x == 0) init(&bar, expected);
  __syncthreads();
  bar.arrive_and_wait();
}

PROGRAM(FewerThreadsThanExpected) { MeetAll<<<1, 64>>>(96); }

__global__ void MeetUninitialised() {
  __shared__ BlockBarrier bar;
  bar.arrive_and_wait();
}

PROGRAM(NeverInitialised) { MeetUninitialised<<<1, 64>>>(); }

__global__ void SkipMbarrier() {
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0) __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 5) return;
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token)) continue;
}

PROGRAM(OneThreadSkipsTheMbarrier) { SkipMbarrier<<<1, 64>>>(); }

// Latches and semaphores have no default constructor, so shared memory has room for them.
using BlockLatch = cuda::latch<kOfBlock>;
using BlockLock = cuda::binary_semaphore<kOfBlock>;

__global__ void CountTwice() {
  __shared__ alignas(BlockLatch) unsigned char room[sizeof(BlockLatch)];
  auto& done = *reinterpret_cast<BlockLatch*>(room);
  if (threadIdx.x == 0) new (&done) BlockLatch(blockDim.x);
  __syncthreads();
  done.arrive_and_wait();
  done.arrive_and_wait();
}

PROGRAM(LatchUsedTwice) { CountTwice<<<1, 32>>>(); }

__global__ void ReleaseTwice() {
  __shared__ alignas(BlockLock) unsigned char room[sizeof(BlockLock)];
  if (threadIdx.x != 0) return;
  BlockLock& lock = *new (room) BlockLock(1);
  lock.acquire();
  lock.release();
  lock.release();
}

PROGRAM(ReleasedTooOften) { ReleaseTwice<<<1, 32>>>(); }

template <class T>
__global__ void Copy(const char* in, int offset, int bytes) {
  __shared__ T tile[16];
  if (threadIdx.x != 0) return;
  __pipeline_memcpy_async(tile, in + offset, bytes);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

template <class T>
void RunCopy(int offset, int bytes) {
  Copy<T><<<1, 32>>>(Zeros<char>(64), offset, bytes);
}

PROGRAM(CopyOfSixBytes) { RunCopy<int>(0, 6); }

PROGRAM(CopyFromMisaligned) { RunCopy<int4>(4, 16); }

PROGRAM(CopyPastTheEnd) { RunCopy<int4>(64, 16); }

}  // namespace phases
