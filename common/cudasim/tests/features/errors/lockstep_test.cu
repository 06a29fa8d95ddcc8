// Warps in plain mode that update volatile words without barriers: the lanes advance together, as
// they mostly do on a GPU.  Check mode reports each of these kernels as a data race.
#include <numeric>

#include "common/cudasim/tests/features/test.h"

namespace {

// The last steps of the tree in textbooks from before 2017.
template <class T>
__device__ void AddWarp(volatile T* v, unsigned t) {
  v[t] += v[t + 32];
  v[t] = v[t] + v[t + 16];
  v[t] += v[t + 8];
  v[t] += v[t + 4];
  v[t] += v[t + 2];
  v[t] += v[t + 1];
}

__global__ void AddInSharedMemory(const int* in, int* out) {
  __shared__ int partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  if (t < 32) AddWarp(partial, t);
  if (t == 0) out[0] = partial[0];
}

__global__ void AddInDeviceMemory(int* values, int* out) {
  if (threadIdx.x < 32) AddWarp(values, threadIdx.x);
  if (threadIdx.x == 0) out[0] = values[0];
}

TEST(LockstepTest, HoldsForTheLastWarpOfATree) {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 0);
  DeviceVector<int> in(values);
  DeviceVector<int> out(1);
  AddInSharedMemory<<<1, 64>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost()[0], 2016);
  AddInDeviceMemory<<<1, 64>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost()[0], 2016);
}

// What is read in one statement and stored in another, through a cast.
__global__ void RotateThrice(int* values) {
  __shared__ int ring[32];
  const unsigned t = threadIdx.x;
  ring[t] = values[t];
  __syncwarp();
  for (int round = 0; round < 3; ++round) {
    const int next = ((volatile int*)ring)[(t + 1) % 32];
    ((volatile int*)ring)[t] = next;
  }
  values[t] = ring[t];
}

TEST(LockstepTest, SeparatesStatements) {
  std::vector<int> values(32);
  std::iota(values.begin(), values.end(), 0);
  DeviceVector<int> d(values);
  RotateThrice<<<1, 32>>>(d.get());
  const std::vector<int> got = d.ToHost();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], (i + 3) % 32);
}

// A lane waits for another one of its warp, which sets a flag in device memory: nobody waits there.
__global__ void SetFlags(volatile int* flags) {
  if (threadIdx.x == 0) {
    flags[0] = 1;
  } else {
    while (flags[0] == 0) continue;
    flags[threadIdx.x] = 1;
  }
}

TEST(LockstepTest, LeavesFlagsAlone) {
  DeviceVector<int> flags(std::vector<int>(32, 0));
  SetFlags<<<1, 32>>>(flags.get());
  EXPECT_EQ(flags.ToHost(), std::vector<int>(32, 1));
}

__host__ __device__ int Twice(volatile int* v) {
  v[0] += v[0];
  return v[0];
}

__global__ void TwiceEach(int* values) { Twice(values + threadIdx.x); }

TEST(LockstepTest, TakesFunctionsOfTheHost) {
  int value = 3;
  EXPECT_EQ(Twice(&value), 6);
  DeviceVector<int> values(std::vector<int>(32, 5));
  TwiceEach<<<1, 32>>>(values.get());
  EXPECT_EQ(values.ToHost(), std::vector<int>(32, 10));
}

}  // namespace
