// Work that runs as late as the program's synchronisation allows, in either mode.
#include "common/cudasim/tests/features/test.h"

namespace {

// Before the first call of the API.
const int lazy = setenv("CUDASIM_STREAMS", "lazy", 1);

void Count(void* calls) { ++*static_cast<int*>(calls); }

TEST(LazyStreamTest, HostFunctionsRunOnlyWhenSomebodyWaits) {
  ASSERT_EQ(lazy, 0);
  int calls = 0;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(stream, Count, &calls), cudaSuccess);
  EXPECT_EQ(calls, 0);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(LazyStreamTest, OnlyTheStreamThatIsWaitedForRuns) {
  int first_calls = 0;
  int second_calls = 0;
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  ASSERT_EQ(cudaStreamCreate(&first), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(first, Count, &first_calls), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(second, Count, &second_calls), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(first_calls, 0);
  EXPECT_EQ(second_calls, 1);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(first_calls, 1);
  EXPECT_EQ(cudaStreamDestroy(first), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
}

TEST(LazyStreamTest, PageableMemoryIsReadAtOnce) {
  DeviceVector<int> value(1);
  int source = 5;
  ASSERT_EQ(cudaMemcpyAsync(value.get(), &source, sizeof(int), cudaMemcpyHostToDevice),
            cudaSuccess);
  source = 6;
  EXPECT_EQ(value.ToHost()[0], 5);
}

TEST(LazyStreamTest, ACopyToPageableMemoryIsWaitedFor) {
  DeviceVector<int> value(1);
  int result = 0;
  Set<<<1, 1>>>(value.get(), 8);
  ASSERT_EQ(cudaMemcpyAsync(&result, value.get(), sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(result, 8);
}

// Check mode ends a program at these.
TEST(LazyStreamTest, PinnedMemoryIsReadAndWrittenLate) {
  if (cudasimChecks()) GTEST_SKIP() << "the host's early accesses are findings";
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 2 * sizeof(int)), cudaSuccess);
  DeviceVector<int> value(1);
  pinned[0] = 5;
  pinned[1] = 0;
  ASSERT_EQ(cudaMemcpyAsync(value.get(), pinned, sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(pinned + 1, value.get(), sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(pinned[1], 0);
  pinned[0] = 6;
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(pinned[1], 6);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST(LazyStreamTest, AMissingWaitBetweenStreamsShows) {
  if (cudasimChecks()) GTEST_SKIP() << "it is a finding";
  cudaStream_t producer = nullptr;
  cudaStream_t consumer = nullptr;
  ASSERT_EQ(cudaStreamCreate(&producer), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&consumer), cudaSuccess);
  DeviceVector<int> values(2);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  Set<<<1, 1, 0, producer>>>(values.get(), 3);
  Copy<<<1, 1, 0, consumer>>>(values.get() + 1, values.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(values.ToHost(), (std::vector<int>{3, 0}));
  EXPECT_EQ(cudaStreamDestroy(producer), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(consumer), cudaSuccess);
}

}  // namespace
