// The host API: memory, streams, events, devices.
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
  ASSERT_EQ(cudaMemcpy(b.get(), a.get(), 16, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(b.ToHost(), values);
  std::vector<int> host(4);
  ASSERT_EQ(cudaMemcpy(host.data(), b.get() + 1, 12, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(host, (std::vector<int>{2, 3, 4, 0}));
  ASSERT_EQ(cudaMemcpy(host.data() + 3, host.data(), 4, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(host[3], 2);
}

TEST(ApiTest, ZeroBytesAreFine) {
  int* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(ApiTest, MemsetSetsBytes) {
  DeviceVector<unsigned> values(3);
  ASSERT_EQ(cudaMemset(values.get(), 0xab, 8), cudaSuccess);
  EXPECT_EQ(values.ToHost(), (std::vector<unsigned>{0xabababab, 0xabababab, 0}));
}

TEST(ApiTest, MemoryInUseIsCounted) {
  size_t before = 0;
  size_t during = 0;
  size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  const DeviceVector<char> values(1 << 20);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
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

}  // namespace
