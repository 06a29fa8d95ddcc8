// Kernels and their launches: indices, templates, overloads, what a kernel may call. Launches by a
// kernel's address, and queries of kernels' attributes. How many blocks fit on a multiprocessor: by
// threads, blocks and shared memory.

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
  ASSERT_OK(cudaDeviceSynchronize());
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

struct Bound {
  int first;
  double second;
};

__global__ void Mix(float* out, int a, const Bound pair, double scale = 2.0) {
  out[threadIdx.x] = static_cast<float>((a + pair.first) * scale + pair.second);
}

template <class T, int kAdd>
__global__ void Add(T* values, T more) {
  values[threadIdx.x] += more + kAdd;
}

TEST(LaunchApiTest, LoadsArgumentsOfEveryType) {
  DeviceVector<float> out(2);
  float* pointer = out.get();
  int a = 3;
  Bound pair{4, 0.5};
  double scale = 10;
  void* arguments[] = {&pointer, &a, &pair, &scale};
  ASSERT_OK(cudaLaunchKernel(Mix, dim3(1), dim3(2), arguments));
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{70.5f, 70.5f}));
}

TEST(LaunchApiTest, LaunchesAnInstanceOfATemplateThroughAVoidPointer) {
  DeviceVector<long> values({1, 2, 3});
  long* pointer = values.get();
  long more = 10;
  void* arguments[] = {&pointer, &more};
  const void* kernel = (const void*)Add<long, 5>;
  ASSERT_OK(cudaLaunchKernel(kernel, 1, 3, arguments, 0, nullptr));
  more = 99;  // the launch has its own copy
  EXPECT_EQ(values.ToHost(), (std::vector<long>{16, 17, 18}));
}

TEST(LaunchApiTest, NeedsNoArgumentsForNone) {
  EXPECT_OK(cudaLaunchKernel((void*)Nothing, 1, 1, nullptr));
  EXPECT_OK(cudaLaunchCooperativeKernel((void*)Nothing, 2, 32, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
}

TEST(LaunchApiTest, LaunchesWithAConfiguration) {
  DeviceVector<int> values({1, 2});
  cudaLaunchAttribute cooperative[1];
  cooperative[0].id = cudaLaunchAttributeCooperative;
  cooperative[0].val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 2;
  config.attrs = cooperative;
  config.numAttrs = 1;
  ASSERT_OK(cudaLaunchKernelEx(&config, Add<int, 0>, values.get(), 'A'));
  EXPECT_EQ(values.ToHost(), (std::vector<int>{66, 67}));
}

TEST(LaunchApiTest, RefusesNoKernel) {
  EXPECT_EQ(cudaLaunchKernel((const void*)nullptr, 1, 1, nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
}

__global__ void SumShared(int* out, int count) {
  __shared__ int total[8];
  extern __shared__ int dynamic[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) dynamic[i] = i % 3;
  __syncthreads();
  if (threadIdx.x > 0) return;
  total[0] = 0;
  for (int i = 0; i < count; ++i) total[0] += dynamic[i];
  *out = total[0];
}

TEST(LaunchApiTest, GivesMoreThan48KilobytesAfterOptingIn) {
  constexpr int kCount = 51000;  // 199 KiB
  const int bytes = kCount * static_cast<int>(sizeof(int));
  ASSERT_OK(cudaFuncSetAttribute(SumShared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  DeviceVector<int> out(1);
  SumShared<<<1, 64, bytes>>>(out.get(), kCount);
  ASSERT_OK(cudaGetLastError());
  EXPECT_EQ(out.ToHost()[0], kCount);
  cudaFuncAttributes attributes;
  ASSERT_OK(cudaFuncGetAttributes(&attributes, SumShared));
  EXPECT_EQ(attributes.sharedSizeBytes, 32u);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, bytes);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
}

TEST(LaunchApiTest, OptsInToNoMoreThanABlockCanHave) {
  constexpr int kLimit = 227 << 10;
  EXPECT_OK(cudaFuncSetAttribute(Nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, kLimit));
  EXPECT_EQ(cudaFuncSetAttribute(Nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, kLimit + 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(SumShared, cudaFuncAttributeMaxDynamicSharedMemorySize, kLimit),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__global__ void Empty() {}

__global__ void Tile(float* out) {
  __shared__ float tile[4096];  // 16 KiB
  tile[threadIdx.x] = 0;
  out[threadIdx.x] = tile[threadIdx.x];
}

int Blocks(void (*kernel)(), int threads, size_t bytes) {
  int blocks = -1;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes));
  return blocks;
}

TEST(OccupancyTest, ThreadsLimit) {
  EXPECT_EQ(Blocks(Empty, 1024, 0), 2);
  EXPECT_EQ(Blocks(Empty, 256, 0), 8);
  EXPECT_EQ(Blocks(Empty, 96, 0), 21);
  EXPECT_EQ(Blocks(Empty, 97, 0), 16);
}

TEST(OccupancyTest, BlocksLimit) {
  EXPECT_EQ(Blocks(Empty, 64, 0), 32);
  EXPECT_EQ(Blocks(Empty, 1, 0), 32);
}

TEST(OccupancyTest, SharedMemoryLimits) {
  EXPECT_EQ(Blocks(Empty, 32, 48 << 10), 4);
  EXPECT_EQ(Blocks(Empty, 32, (48 << 10) + 1), 0);  // without opting in
  int blocks = -1;
  ASSERT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Tile, 128, 0));
  EXPECT_EQ(blocks, 13);
}

TEST(OccupancyTest, SuggestsTheLargestBlockOfTheFullestMultiprocessor) {
  int grid = 0;
  int block = 0;
  ASSERT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, Empty));
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 132);
  ASSERT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, Empty, 0, 300));
  EXPECT_EQ(block, 256);
  const auto bytes = [](int threads) { return 100 * threads; };
  ASSERT_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, Empty, bytes));
  EXPECT_GT(grid, 0);
  EXPECT_LE(block * 100, 48 << 10);
}

TEST(OccupancyTest, RefusesBlocksWithoutThreads) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Empty, 0, 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
