// Launches by kernels: the programs with which courses introduce them, and what CUDA promises.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(data.ToHost(), values);
}

constexpr int kSize = 64;
constexpr int kLimit = 32;

__device__ int Dwell(int x, int y) {
  const float a = -2.0f + 3.0f * static_cast<float>(x) / kSize;
  const float b = -1.5f + 3.0f * static_cast<float>(y) / kSize;
  float re = a;
  float im = b;
  int n = 0;
  for (; n < kLimit && re * re + im * im < 4; ++n) {
    const float next = re * re - im * im + a;
    im = 2 * re * im + b;
    re = next;
  }
  return n;
}

__global__ void Pixels(int* image, int x0, int y0, int size) {
  const int x = x0 + static_cast<int>(threadIdx.x);
  const int y = y0 + static_cast<int>(blockIdx.x);
  if (static_cast<int>(threadIdx.x) < size) image[y * kSize + x] = Dwell(x, y);
}

__global__ void Fill(int* image, int x0, int y0, int dwell) {
  image[(y0 + static_cast<int>(blockIdx.x)) * kSize + x0 + static_cast<int>(threadIdx.x)] = dwell;
}

// Mariani and Silver: a square whose border has one dwell has it inside, too.
__global__ void MarianiSilver(int* image, int x0, int y0, int size) {
  __shared__ int differ;
  const int x = x0 + size * static_cast<int>(blockIdx.x);
  const int y = y0 + size * static_cast<int>(blockIdx.y);
  if (threadIdx.x == 0) differ = 0;
  __syncthreads();
  const int common = Dwell(x, y);
  for (int i = static_cast<int>(threadIdx.x); i < size; i += static_cast<int>(blockDim.x)) {
    const bool same = Dwell(x + i, y) == common && Dwell(x + i, y + size - 1) == common &&
                      Dwell(x, y + i) == common && Dwell(x + size - 1, y + i) == common;
    if (!same) atomicExch(&differ, 1);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (differ == 0) {
    Fill<<<size, size>>>(image, x, y, common);
  } else if (size > 8) {
    MarianiSilver<<<dim3(2, 2), 16>>>(image, x, y, size / 2);
  } else {
    Pixels<<<size, size>>>(image, x, y, size);
  }
}

TEST(DynamicParallelismTest, MarianiSilverDrawsTheMandelbrotSet) {
  const DeviceVector<int> adaptive(kSize * kSize);
  const DeviceVector<int> plain(kSize * kSize);
  MarianiSilver<<<dim3(2, 2), 16>>>(adaptive.get(), 0, 0, kSize / 2);
  Pixels<<<kSize, kSize>>>(plain.get(), 0, 0, kSize);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(adaptive.ToHost(), plain.ToHost());
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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(sum.ToHost(), Ints{40});
  EXPECT_EQ(errors.ToHost(), Ints(3, cudaSuccess));
}

__global__ void AddFirstTwo(int* to, const int* from) { *to = from[0] + from[1]; }
__global__ void PassGlobal(int* to) {
  to[1] = to[2] = 1;
  AddFirstTwo<<<1, 1>>>(to, to + 1);
}

// With shared or local memory: tests/bugs/children.cu.
TEST(DynamicParallelismTest, AnArgumentMayPointToGlobalMemory) {
  const DeviceVector<int> data(3);
  PassGlobal<<<1, 1>>>(data.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(data.ToHost(), (Ints{2, 1, 1}));
}

__global__ void Nest(int* deepest, int depth) {
  *deepest = depth;
  if (depth < 24) Nest<<<1, 1>>>(deepest, depth + 1);
}

TEST(DynamicParallelismTest, LaunchesNestTwentyFourDeep) {
  const DeviceVector<int> deepest(1);
  Nest<<<1, 1>>>(deepest.get(), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(deepest.ToHost(), Ints{24});
}

TEST(DynamicParallelismTest, TheLimitOfPendingLaunchesCanBeSet) {
  std::size_t limit = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount), cudaSuccess);
  EXPECT_EQ(limit, 2048);
}

}  // namespace
