// Launches by a kernel's address, and queries of kernels' attributes.
#include <string>

#include "common/cudasim/tests/features/test.h"

namespace {

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
  ASSERT_EQ(cudaLaunchKernel(Mix, dim3(1), dim3(2), arguments), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.ToHost(), (std::vector<float>{70.5f, 70.5f}));
}

TEST(LaunchApiTest, LaunchesAnInstanceOfATemplateThroughAVoidPointer) {
  DeviceVector<long> values({1, 2, 3});
  long* pointer = values.get();
  long more = 10;
  void* arguments[] = {&pointer, &more};
  const void* kernel = (const void*)Add<long, 5>;
  ASSERT_EQ(cudaLaunchKernel(kernel, 1, 3, arguments, 0, nullptr), cudaSuccess);
  more = 99;  // the launch has its own copy
  EXPECT_EQ(values.ToHost(), (std::vector<long>{16, 17, 18}));
}

TEST(LaunchApiTest, NeedsNoArgumentsForNone) {
  EXPECT_EQ(cudaLaunchKernel((void*)Nothing, 1, 1, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel((void*)Nothing, 2, 32, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
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
  ASSERT_EQ(cudaLaunchKernelEx(&config, Add<int, 0>, values.get(), 'A'), cudaSuccess);
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
  ASSERT_EQ(cudaFuncSetAttribute(SumShared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
            cudaSuccess);
  DeviceVector<int> out(1);
  SumShared<<<1, 64, bytes>>>(out.get(), kCount);
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(out.ToHost()[0], kCount);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, SumShared), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 32u);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, bytes);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
}

TEST(LaunchApiTest, OptsInToNoMoreThanABlockCanHave) {
  constexpr int kLimit = 227 << 10;
  EXPECT_EQ(cudaFuncSetAttribute(Nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, kLimit),
            cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(Nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, kLimit + 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(SumShared, cudaFuncAttributeMaxDynamicSharedMemorySize, kLimit),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
