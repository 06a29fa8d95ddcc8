// Kernels and their launches: indices, templates, overloads, what a kernel may call.
#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void Indices(uint3* threads, uint3* blocks) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  threads[i] = threadIdx;
  blocks[i] = blockIdx;
}

TEST(LaunchTest, CountsThreadsAndBlocksInThreeDimensions) {
  const dim3 grid(3, 2, 2);
  const dim3 block(4, 3, 5);
  DeviceVector<uint3> threads(12 * 60);
  DeviceVector<uint3> blocks(12 * 60);
  Indices<<<grid, block>>>(threads.get(), blocks.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<uint3> t = threads.ToHost();
  const std::vector<uint3> b = blocks.ToHost();
  for (unsigned i = 0; i < t.size(); ++i) {
    const unsigned thread = i % 60;
    const unsigned at = i / 60;
    ASSERT_EQ(t[i].x, thread % 4);
    ASSERT_EQ(t[i].y, thread / 4 % 3);
    ASSERT_EQ(t[i].z, thread / 12);
    ASSERT_EQ(b[i].x, at % 3);
    ASSERT_EQ(b[i].y, at / 3 % 2);
    ASSERT_EQ(b[i].z, at / 6);
  }
}

__global__ void Store(int* out, int value) { *out = value; }

TEST(LaunchTest, EvaluatesConfigurationOnce) {
  DeviceVector<int> out(1);
  int calls = 0;
  const auto blocks = [&] { return ++calls; };
  Store<<<blocks(), 1>>>(out.get(), 1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
