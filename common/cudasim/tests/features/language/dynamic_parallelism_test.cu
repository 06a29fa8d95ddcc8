// Launches by kernels: the programs with which courses introduce them, and what CUDA promises.
#include <algorithm>

#include "common/cudasim/tests/features/test.h"

namespace {

using Ints = std::vector<int>;

__device__ void Swap(int& a, int& b) {
  const int old = a;
  a = b;
  b = old;
}

__global__ void QuickSort(int* data, int left, int right) {
  if (left >= right) return;
  const int pivot = data[(left + right) / 2];
  int i = left;
  int j = right;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) Swap(data[i++], data[j--]);
  }
  QuickSort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, left, j);
  QuickSort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, i, right);
}

TEST(DynamicParallelismTest, QuicksortLaunchesItsHalves) {
  Ints values(500);
  for (int i = 0; i < 500; ++i) values[i] = i * 7919 % 501;
  const DeviceVector<int> data(values);
  QuickSort<<<1, 1>>>(data.get(), 0, 499);
  EXPECT_OK(cudaDeviceSynchronize());
  std::sort(values.begin(), values.end());
  EXPECT_EQ(data.ToHost(), values);
}

// Halves the distance of neighbours until it is done: the loop of a solver on the device.
__global__ void Relax(int* data, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < n && data[i] > 0) --data[i];
}
__global__ void Loop(int* data, int n, int round, int rounds) {
  if (round == rounds) return;
  Relax<<<1, n>>>(data, n);
  Loop<<<1, 1, 0, cudaStreamTailLaunch>>>(data, n, round + 1, rounds);
}

TEST(DynamicParallelismTest, ATailLaunchLoops) {
  const DeviceVector<int> data(Ints{100, 3, 0, 3050});
  Loop<<<1, 1>>>(data.get(), 4, 0, 3000);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(data.ToHost(), (Ints{0, 0, 0, 50}));
}

__global__ void Append(int* list, int value) { list[1 + list[0]++] = value; }
__global__ void AppendThree(int* list) {
  Append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 3);
  Append<<<1, 1>>>(list, 1);
  Append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 4);
  Append<<<1, 1>>>(list, 2);
}

TEST(DynamicParallelismTest, TailLaunchesComeLastAndInOrder) {
  const DeviceVector<int> list(6);
  AppendThree<<<1, 1>>>(list.get());
  Append<<<1, 1>>>(list.get(), 5);  // after the whole family
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(list.ToHost(), (Ints{5, 1, 2, 3, 4, 5}));
}

template <class T>
__global__ void StoreAny(T* to, T value) {
  *to = value;
}
__device__ void LaunchStore(float* to) { StoreAny<float><<<1, 1>>>(to, 2.5f); }
__global__ void CallLaunch(float* to) { LaunchStore(to + threadIdx.x); }

TEST(DynamicParallelismTest, ADeviceFunctionLaunchesATemplate) {
  const DeviceVector<float> data(64);
  CallLaunch<<<1, 64>>>(data.get());
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(data.ToHost(), std::vector<float>(64, 2.5f));
}

__global__ void SumDynamicShared(int* to) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < blockDim.x; ++i) *to += shared[i];
}
__global__ void LaunchIntoStream(int* to, int* errors) {
  cudaStream_t stream = nullptr;
  errors[0] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  SumDynamicShared<<<1, 40, 40 * sizeof(int), stream>>>(to);
  errors[1] = cudaGetLastError();
  errors[2] = cudaStreamDestroy(stream);
}

TEST(DynamicParallelismTest, AStreamOfTheBlockIsDestroyedAfterItsLaunch) {
  const DeviceVector<int> sum(1);
  const DeviceVector<int> errors(3);
  LaunchIntoStream<<<1, 1>>>(sum.get(), errors.get());
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(sum.ToHost(), Ints{40});
  EXPECT_EQ(errors.ToHost(), Ints(3, cudaSuccess));
}

__global__ void Nest(int* deepest, int depth) {
  *deepest = depth;
  if (depth < 24) Nest<<<1, 1>>>(deepest, depth + 1);
}

TEST(DynamicParallelismTest, LaunchesNestTwentyFourDeep) {
  const DeviceVector<int> deepest(1);
  Nest<<<1, 1>>>(deepest.get(), 0);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(deepest.ToHost(), Ints{24});
}

}  // namespace
