// Kernels and their launches: indices, templates, overloads, what a kernel may call.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

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

__global__ void Saxpy(float a, const float* __restrict__ x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

TEST(LaunchTest, RunsAGridStrideLoopOverARaggedEnd) {
  std::vector<float> x(1003);
  std::iota(x.begin(), x.end(), 0.0f);
  DeviceVector<float> dx(x);
  DeviceVector<float> dy(std::vector<float>(1003, 1.0f));
  Saxpy<<<3, 64>>>(2.0f, dx.get(), dy.get(), 1003);
  const std::vector<float> y = dy.ToHost();
  for (int i = 0; i < 1003; ++i) ASSERT_EQ(y[i], 2.0f * i + 1.0f);
}

template <int kScale, class T>
__global__ void Scale(T* values) {
  values[threadIdx.x] *= kScale;
}

TEST(LaunchTest, DeducesTemplateArguments) {
  DeviceVector<double> doubles({1.5, 2.5});
  DeviceVector<int> ints({3, 4});
  Scale<2><<<1, 2>>>(doubles.get());
  Scale<5, int><<<1, 2>>>(ints.get());
  EXPECT_EQ(doubles.ToHost(), (std::vector<double>{3.0, 5.0}));
  EXPECT_EQ(ints.ToHost(), (std::vector<int>{15, 20}));
}

__global__ void Store(int* out, int value) { *out = value; }
__global__ void Store(int* out, float value) { *out = static_cast<int>(10 * value); }

TEST(LaunchTest, ChoosesAmongOverloads) {
  DeviceVector<int> out(1);
  Store<<<1, 1>>>(out.get(), 7);
  EXPECT_EQ(out.ToHost()[0], 7);
  Store<<<1, 1>>>(out.get(), 0.5f);
  EXPECT_EQ(out.ToHost()[0], 5);
}

__device__ int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }
__host__ __device__ inline int Twice(int x) { return 2 * x; }

__device__ __noinline__ int Half(int x) { return x / 2; }

__global__ void Call(int* out) { out[threadIdx.x] = Twice(Half(Twice(Fibonacci(threadIdx.x)))); }

TEST(LaunchTest, CallsDeviceFunctionsAndRecursion) {
  DeviceVector<int> out(8);
  Call<<<1, 8>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{0, 2, 2, 4, 6, 10, 16, 26}));
  EXPECT_EQ(Twice(4), 8);
}

template <class F>
__global__ void Map(int* values, F f) {
  values[threadIdx.x] = f(values[threadIdx.x]);
}

TEST(LaunchTest, TakesADeviceLambda) {
  DeviceVector<int> values({1, 2, 3});
  const int offset = 10;
  Map<<<1, 3>>>(values.get(), [=] __device__(int x) { return x * x + offset; });
  EXPECT_EQ(values.ToHost(), (std::vector<int>{11, 14, 19}));
}

struct Pair {
  int first;
  float second;
};

__global__ void __launch_bounds__(64) TakeStruct(Pair pair, float* out) {
  pair.first += threadIdx.x;  // each thread has its own copy
  out[threadIdx.x] = pair.first + pair.second;
}

TEST(LaunchTest, GivesEachThreadItsOwnArguments) {
  DeviceVector<float> out(4);
  TakeStruct<<<1, 4>>>({5, 0.5f}, out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{5.5f, 6.5f, 7.5f, 8.5f}));
}

TEST(LaunchTest, LaunchesThroughAPointer) {
  void (*kernel)(int*, int) = Store;
  DeviceVector<int> out(1);
  kernel<<<1, 1>>>(out.get(), 9);
  EXPECT_EQ(out.ToHost()[0], 9);
}

TEST(LaunchTest, EvaluatesConfigurationOnce) {
  DeviceVector<int> out(1);
  int calls = 0;
  const auto blocks = [&] { return ++calls; };
  Store<<<blocks(), 1>>>(out.get(), 1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
