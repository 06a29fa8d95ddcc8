// Pairs of programs with dynamic parallelism: one whose launches by kernels are in order, and one
// that differs in a word or a line.  `PROGRAM list` prints the names, `PROGRAM NAME` runs one.
#include "common/cudasim/tests/stream_order/pair_programs.h"

namespace order_of_children {

using Resources = Buffers;

__global__ void Write(int* data, int at) { data[at] = at + 1; }
__global__ void AddOne(int* data, int at) { ++data[at]; }
__global__ void AddAtomically(int* data, int at) { atomicAdd(&data[at], 1); }
__global__ void Reverse(int* data) { data[threadIdx.x + 32] = data[31 - threadIdx.x]; }
__global__ void Double(int* data) { data[1] = 2 * data[0]; }

template <bool kTail>
__global__ void UseChildsResult(int* data) {
  Write<<<1, 1>>>(data, 0);
  if (kTail) {
    Double<<<1, 1, 0, cudaStreamTailLaunch>>>(data);
  } else {
    data[1] = 2 * data[0];
  }
}

template <bool kTail>
void ATailLaunchUsesTheChildsResult(Resources& r) {
  UseChildsResult<kTail><<<1, 1>>>(r.in);
}

template <bool kOwn>
__global__ void BlocksLaunch(int* data) {
  const int at = kOwn ? static_cast<int>(blockIdx.x) : 0;
  AddOne<<<1, 1>>>(data, at);
}

template <bool kOwn>
void ChildrenOfTwoBlocksWriteTheirOwnElements(Resources& r) {
  BlocksLaunch<kOwn><<<2, 1>>>(r.in);
}

template <bool kBarrier>
__global__ void FillThenLaunch(int* data) {
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (kBarrier) __syncthreads();
  if (threadIdx.x == 0) Reverse<<<1, 32>>>(data);
}

template <bool kBarrier>
void TheBlockMeetsBeforeTheLaunch(Resources& r) {
  FillThenLaunch<kBarrier><<<1, 32>>>(r.in);
}

template <bool kWarp>
__global__ void FillInWarpThenLaunch(int* data) {
  data[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (kWarp) __syncwarp();
  if (threadIdx.x == 31) Reverse<<<1, 32>>>(data);
}

template <bool kWarp>
void TheWarpMeetsBeforeTheLaunch(Resources& r) {
  FillInWarpThenLaunch<kWarp><<<1, 32>>>(r.in);
}

template <bool kNull>
__global__ void LaunchTwice(int* data) {
  AddOne<<<1, 1, 0, kNull ? nullptr : cudaStreamFireAndForget>>>(data, 0);
  AddOne<<<1, 1, 0, kNull ? nullptr : cudaStreamFireAndForget>>>(data, 0);
}

template <bool kNull>
void LaunchesIntoTheNullStreamFollowEachOther(Resources& r) {
  LaunchTwice<kNull><<<1, 1>>>(r.in);
}

template <bool kAtomic>
__global__ void LaunchFireAndForget(int* data) {
  for (int i = 0; i < 4; ++i) {
    if (kAtomic) {
      AddAtomically<<<1, 1, 0, cudaStreamFireAndForget>>>(data, 0);
    } else {
      AddOne<<<1, 1, 0, cudaStreamFireAndForget>>>(data, 0);
    }
  }
}

template <bool kAtomic>
void FireAndForgetLaunchesAddAtomically(Resources& r) {
  LaunchFireAndForget<kAtomic><<<1, 1>>>(r.in);
}

template <bool kBefore>
__global__ void WriteAroundLaunch(int* data) {
  if (kBefore) data[0] = 5;
  Double<<<1, 1>>>(data);
  if (!kBefore) data[0] = 5;
}

template <bool kBefore>
void TheInputIsWrittenBeforeTheLaunch(Resources& r) {
  WriteAroundLaunch<kBefore><<<1, 1>>>(r.in);
}

template <bool kTail>
__global__ void LaunchAfterAll(int* data) {
  AddOne<<<1, 1>>>(data, static_cast<int>(blockIdx.x));
  if (blockIdx.x == 0) Reverse<<<1, 32, 0, kTail ? cudaStreamTailLaunch : nullptr>>>(data);
}

template <bool kTail>
void ATailLaunchComesAfterTheOtherBlocksChildren(Resources& r) {
  LaunchAfterAll<kTail><<<2, 1>>>(r.in);
}

template <bool kOne>
__global__ void LaunchIntoStreams(int* data) {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  AddOne<<<1, 1, 0, first>>>(data, 0);
  AddOne<<<1, 1, 0, kOne ? first : second>>>(data, 0);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

template <bool kOne>
void LaunchesIntoOneStreamFollowEachOther(Resources& r) {
  LaunchIntoStreams<kOne><<<1, 1>>>(r.in);
}

__global__ void LaunchWrite(int* data) { Write<<<1, 1>>>(data, 0); }

template <bool kNull>
__global__ void LaunchGrandchild(int* data) {
  LaunchWrite<<<1, 1>>>(data);
  Double<<<1, 1, 0, kNull ? nullptr : cudaStreamFireAndForget>>>(data);
}

template <bool kNull>
void AGridIsCompleteWhenItsChildrenAre(Resources& r) {
  LaunchGrandchild<kNull><<<1, 1>>>(r.in);
}

const bool listed = AddPairs(
    {PAIR(ATailLaunchUsesTheChildsResult), PAIR(ChildrenOfTwoBlocksWriteTheirOwnElements),
     PAIR(TheBlockMeetsBeforeTheLaunch), PAIR(TheWarpMeetsBeforeTheLaunch),
     PAIR(LaunchesIntoTheNullStreamFollowEachOther), PAIR(FireAndForgetLaunchesAddAtomically),
     PAIR(TheInputIsWrittenBeforeTheLaunch), PAIR(ATailLaunchComesAfterTheOtherBlocksChildren),
     PAIR(LaunchesIntoOneStreamFollowEachOther), PAIR(AGridIsCompleteWhenItsChildrenAre)});

}  // namespace order_of_children
