// The host API: memory, streams, events, devices. Reads of initialised memory, about which check
// mode must report nothing. __device__ and __constant__ variables.
#include <thread>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void Increment(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ++values[i];
}

TEST(ApiTest, CopiesInEveryDirection) {
  const std::vector<int> values = {1, 2, 3, 4};
  DeviceVector<int> a(values);
  DeviceVector<int> b(4);
  ASSERT_OK(cudaMemcpy(b.get(), a.get(), 16, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(b.ToHost(), values);
  std::vector<int> host(4);
  ASSERT_OK(cudaMemcpy(host.data(), b.get() + 1, 12, cudaMemcpyDefault));
  EXPECT_EQ(host, (std::vector<int>{2, 3, 4, 0}));
  ASSERT_OK(cudaMemcpy(host.data() + 3, host.data(), 4, cudaMemcpyHostToHost));
  EXPECT_EQ(host[3], 2);
}

TEST(ApiTest, ZeroBytesAreFine) {
  int* pointer = nullptr;
  EXPECT_OK(cudaMalloc(&pointer, 0));
  EXPECT_EQ(pointer, nullptr);
  EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaFree(nullptr));
}

TEST(ApiTest, MemsetSetsBytes) {
  DeviceVector<unsigned> values(3);
  ASSERT_OK(cudaMemset(values.get(), 0xab, 8));
  EXPECT_EQ(values.ToHost(), (std::vector<unsigned>{0xabababab, 0xabababab, 0}));
}

TEST(ApiTest, MemoryInUseIsCounted) {
  size_t before = 0;
  size_t during = 0;
  size_t total = 0;
  ASSERT_OK(cudaMemGetInfo(&before, &total));
  const DeviceVector<char> values(1 << 20);
  ASSERT_OK(cudaMemGetInfo(&during, &total));
  EXPECT_EQ(before - during, size_t{1} << 20);
  EXPECT_LE(before, total);
}

TEST(ApiTest, LaunchesFromSeveralHostThreads) {
  DeviceVector<int> a(5000);
  DeviceVector<int> b(5000);
  const auto work = [](int* values) {
    for (int i = 0; i < 10; ++i) Increment<<<20, 256>>>(values, 5000);
  };
  std::thread other(work, a.get());
  work(b.get());
  other.join();
  EXPECT_EQ(a.ToHost(), std::vector<int>(5000, 10));
  EXPECT_EQ(b.ToHost(), std::vector<int>(5000, 10));
}

template <class T>
T* Allocate(std::size_t count) {
  T* pointer = nullptr;
  EXPECT_OK(cudaMalloc(&pointer, count * sizeof(T)));
  return pointer;
}

__global__ void IncrementAll(int* values) { ++values[threadIdx.x]; }

TEST(InitialisedTest, MemsetAndCopiesOfPartsMakeAWhole) {
  int* const values = Allocate<int>(4);
  const int two[] = {5, 6};
  cudaMemcpy(values, two, sizeof(two), cudaMemcpyHostToDevice);
  cudaMemset(values + 2, 0, 2 * sizeof(int));
  IncrementAll<<<1, 4>>>(values);
  std::vector<int> got(4);
  cudaMemcpy(got.data(), values, sizeof(int) * 4, cudaMemcpyDeviceToHost);
  EXPECT_EQ(got, (std::vector<int>{6, 7, 1, 1}));
  cudaFree(values);
}

TEST(InitialisedTest, FreshMemoryMayBeCopiedToTheHost) {
  int* const values = Allocate<int>(4);
  int got[4];
  EXPECT_OK(cudaMemcpy(got, values, sizeof(got), cudaMemcpyDeviceToHost));
  cudaFree(values);
}

struct Padded {
  char letter;
  int number;
};

struct Large {
  char letter;
  double values[4];
  char last;
};

__global__ void FillMembers(Padded* padded, Large* large) {
  padded->letter = 'a';
  padded->number = 7;
  large->letter = 'b';
  for (double& value : large->values) value = 1.5;
  large->last = 'c';
}

__global__ void CopyStructs(Padded* padded, Large* large) {
  padded[1] = padded[0];
  large[1] = large[0];
}

TEST(InitialisedTest, StructsAreCopiedWithTheirPadding) {
  Padded* const padded = Allocate<Padded>(2);
  Large* const large = Allocate<Large>(2);
  FillMembers<<<1, 1>>>(padded, large);
  CopyStructs<<<1, 1>>>(padded, large);
  Padded got;
  cudaMemcpy(&got, padded + 1, sizeof(got), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got.letter, 'a');
  EXPECT_EQ(got.number, 7);
  Large got_large;
  cudaMemcpy(&got_large, large + 1, sizeof(got_large), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got_large.last, 'c');
  cudaFree(padded);
  cudaFree(large);
}

__global__ void ExchangeFresh(int* slot, int* out) { *out = atomicExch(slot, 5) == 5 ? 1 : 0; }

__global__ void ReadSlot(const int* slot, int* out) { *out = *slot; }

TEST(InitialisedTest, AnExchangeNeedsNoValue) {
  int* const memory = Allocate<int>(2);
  ExchangeFresh<<<1, 1>>>(memory, memory + 1);
  ReadSlot<<<1, 1>>>(memory, memory + 1);
  int got = 0;
  cudaMemcpy(&got, memory + 1, sizeof(got), cudaMemcpyDeviceToHost);
  EXPECT_EQ(got, 5);
  cudaFree(memory);
}

}  // namespace

__constant__ float coefficients[4];
__device__ int counter = 5;

namespace {

__constant__ int constant_scale = 3;

__global__ void Polynomial(float* values) {
  float x = values[threadIdx.x];
  float y = 0;
  for (int i = 3; i >= 0; --i) y = y * x + coefficients[i];
  values[threadIdx.x] = constant_scale * y;
}

TEST(SymbolsTest, KernelsReadWhatTheHostCopiesToConstants) {
  const float host[4] = {1, 2, 0, 1};
  ASSERT_OK(cudaMemcpyToSymbol(coefficients, host, sizeof(host)));
  DeviceVector<float> values({0, 1, 2});
  Polynomial<<<1, 3>>>(values.get());
  EXPECT_EQ(values.ToHost(), (std::vector<float>{3, 12, 39}));
}

__global__ void Count() { atomicAdd(&counter, 1); }

TEST(SymbolsTest, DeviceVariablesKeepTheirValueBetweenLaunches) {
  Count<<<1, 10>>>();
  Count<<<1, 10>>>();
  int host = 0;
  ASSERT_OK(cudaMemcpyFromSymbol(&host, counter, sizeof(host)));
  EXPECT_EQ(host, 25);
}

TEST(SymbolsTest, CopiesAtAnOffset) {
  const float two = 2.5f;
  ASSERT_OK(cudaMemcpyToSymbol(coefficients, &two, sizeof(two), 2 * sizeof(float)));
  float all[4];
  ASSERT_OK(cudaMemcpyFromSymbol(all, coefficients, sizeof(all)));
  EXPECT_EQ(all[2], 2.5f);
}

TEST(SymbolsTest, RefusesToCopyMoreThanTheSymbolHolds) {
  const float five[5] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, five, sizeof(five)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(SymbolsTest, HasAnAddressAndASize) {
  void* address = nullptr;
  size_t bytes = 0;
  ASSERT_OK(cudaGetSymbolAddress(&address, coefficients));
  ASSERT_OK(cudaGetSymbolSize(&bytes, coefficients));
  EXPECT_NE(address, nullptr);
  EXPECT_EQ(bytes, sizeof(coefficients));
}

}  // namespace
