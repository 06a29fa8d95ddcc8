// Atomic operations on global memory, and on shared memory, where plain mode needs no lock.
#include "common/cudasim/tests/features/test.h"

namespace {

template <bool kShared, class T, class F>
__global__ void Update(T* word, F update) {
  __shared__ T in_shared;
  if (threadIdx.x == 0) in_shared = *word;
  __syncthreads();
  update(kShared ? &in_shared : word);
  __syncthreads();
  if (kShared && threadIdx.x == 0) *word = in_shared;
}

// Expects `after` where all threads of a block have updated a word that held `before`.
template <class T, class F>
void ExpectUpdated(int threads, T before, T after, F update) {
  const DeviceVector<T> global(std::vector<T>{before});
  const DeviceVector<T> shared(std::vector<T>{before});
  Update<false><<<1, threads>>>(global.get(), update);
  EXPECT_EQ(global.ToHost()[0], after) << threads << " threads, global memory";
  Update<true><<<1, threads>>>(shared.get(), update);
  EXPECT_EQ(shared.ToHost()[0], after) << threads << " threads, shared memory";
}

template <class T>
void ExpectSum(int threads) {
  ExpectUpdated(threads, T{}, static_cast<T>(threads * (threads - 1) / 2),
                [] __device__(T * word) { atomicAdd(word, static_cast<T>(threadIdx.x)); });
}

TEST(AtomicsTest, AddLosesNothingForEveryType) {
  for (const int threads : {1, 31, 32, 33, 1024}) {
    ExpectSum<int>(threads);
    ExpectSum<unsigned>(threads);
    ExpectSum<unsigned long long>(threads);
    ExpectSum<float>(threads);
    ExpectSum<double>(threads);
  }
}

__device__ int Bit() { return 1 << (threadIdx.x % 8); }

TEST(AtomicsTest, CombinesInEveryWay) {
  ExpectUpdated(64, 0, 63, [] __device__(int* word) { atomicMax(word, threadIdx.x); });
  ExpectUpdated(64, 0, -63, [] __device__(int* word) { atomicMin(word, -int(threadIdx.x)); });
  ExpectUpdated(64, 0, 0xff, [] __device__(int* word) { atomicOr(word, Bit()); });
  ExpectUpdated(64, -1, ~0xff, [] __device__(int* word) { atomicAnd(word, ~Bit()); });
  ExpectUpdated(64, 0, 0, [] __device__(int* word) { atomicXor(word, threadIdx.x); });
  ExpectUpdated(64, 0, -128, [] __device__(int* word) { atomicSub(word, 2); });
  ExpectUpdated(10, 0u, 3u, [] __device__(unsigned* word) { atomicInc(word, 6); });
  ExpectUpdated(10, 0u, 4u, [] __device__(unsigned* word) { atomicDec(word, 6); });
  ExpectUpdated(8, 0, 16, [] __device__(int* word) {
    atomicAdd_block(word, 1);
    atomicAdd_system(word, 1);
  });
}

// Each old value counts itself; the first to swap owns the word, and takes it back.
template <bool kShared>
__global__ void ReturnOld(unsigned* seen, unsigned* memory) {
  __shared__ unsigned in_shared[2];
  __shared__ unsigned short owner;
  unsigned* const words = kShared ? in_shared : memory;
  if (threadIdx.x == 0) words[0] = words[1] = owner = 0;
  __syncthreads();
  atomicAdd(&seen[atomicAdd(&words[0], 1u)], 1u);
  const auto mine = static_cast<unsigned short>(threadIdx.x + 1);
  if (atomicCAS(&owner, static_cast<unsigned short>(0), mine) == 0) atomicAdd(&words[1], 1u);
  __syncthreads();
  if (owner == mine && atomicExch(&words[0], 7u) == blockDim.x) atomicAdd(&words[1], 1u);
  __syncthreads();
  if (threadIdx.x == 0) memory[1] = words[1];
}

TEST(AtomicsTest, ReturnsEveryOldValueToOneThread) {
  for (const auto kernel : {ReturnOld<false>, ReturnOld<true>}) {
    const DeviceVector<unsigned> seen(256);
    const DeviceVector<unsigned> words(2);
    kernel<<<1, 256>>>(seen.get(), words.get());
    EXPECT_EQ(seen.ToHost(), std::vector<unsigned>(256, 1));
    EXPECT_EQ(words.ToHost()[1], 2u);
  }
}

}  // namespace
