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
  ASSERT_OK(cudaStreamCreate(&stream));
  ASSERT_OK(cudaLaunchHostFunc(stream, Count, &calls));
  EXPECT_EQ(calls, 0);
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(calls, 1);
  EXPECT_OK(cudaStreamDestroy(stream));
}

TEST(LazyStreamTest, OnlyTheStreamThatIsWaitedForRuns) {
  int first_calls = 0;
  int second_calls = 0;
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  ASSERT_OK(cudaStreamCreate(&first));
  ASSERT_OK(cudaStreamCreate(&second));
  ASSERT_OK(cudaLaunchHostFunc(first, Count, &first_calls));
  ASSERT_OK(cudaLaunchHostFunc(second, Count, &second_calls));
  ASSERT_OK(cudaStreamSynchronize(second));
  EXPECT_EQ(first_calls, 0);
  EXPECT_EQ(second_calls, 1);
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(first_calls, 1);
  EXPECT_OK(cudaStreamDestroy(first));
  EXPECT_OK(cudaStreamDestroy(second));
}

TEST(LazyStreamTest, PageableMemoryIsReadAtOnce) {
  DeviceVector<int> value(1);
  int source = 5;
  ASSERT_OK(cudaMemcpyAsync(value.get(), &source, sizeof(int), cudaMemcpyHostToDevice));
  source = 6;
  EXPECT_EQ(value.ToHost()[0], 5);
}

TEST(LazyStreamTest, ACopyToPageableMemoryIsWaitedFor) {
  DeviceVector<int> value(1);
  int result = 0;
  Set<<<1, 1>>>(value.get(), 8);
  ASSERT_OK(cudaMemcpyAsync(&result, value.get(), sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT_EQ(result, 8);
}

// Check mode ends a program at these.
TEST(LazyStreamTest, PinnedMemoryIsReadAndWrittenLate) {
  if (cudasimChecks()) GTEST_SKIP() << "the host's early accesses are findings";
  int* pinned = nullptr;
  ASSERT_OK(cudaMallocHost(&pinned, 2 * sizeof(int)));
  DeviceVector<int> value(1);
  pinned[0] = 5;
  pinned[1] = 0;
  ASSERT_OK(cudaMemcpyAsync(value.get(), pinned, sizeof(int), cudaMemcpyHostToDevice));
  ASSERT_OK(cudaMemcpyAsync(pinned + 1, value.get(), sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT_EQ(pinned[1], 0);
  pinned[0] = 6;
  ASSERT_OK(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(pinned[1], 6);
  EXPECT_OK(cudaFreeHost(pinned));
}

TEST(LazyStreamTest, AMissingWaitBetweenStreamsShows) {
  if (cudasimChecks()) GTEST_SKIP() << "it is a finding";
  cudaStream_t producer = nullptr;
  cudaStream_t consumer = nullptr;
  ASSERT_OK(cudaStreamCreate(&producer));
  ASSERT_OK(cudaStreamCreate(&consumer));
  DeviceVector<int> values(2);
  ASSERT_OK(cudaDeviceSynchronize());
  Set<<<1, 1, 0, producer>>>(values.get(), 3);
  Copy<<<1, 1, 0, consumer>>>(values.get() + 1, values.get());
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(values.ToHost(), (std::vector<int>{3, 0}));
  EXPECT_OK(cudaStreamDestroy(producer));
  EXPECT_OK(cudaStreamDestroy(consumer));
}

}  // namespace
