// Streams: order within one and between several, flags, priorities, handles, callbacks.
#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

TEST(StreamTest, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  const Stream first(cudaStreamDefault);
  const Stream second(cudaStreamDefault);
  DeviceVector<int> values(3);
  Set<<<1, 1, 0, first>>>(values.get(), 7);
  Copy<<<1, 1>>>(values.get() + 1, values.get());
  Copy<<<1, 1, 0, second>>>(values.get() + 2, values.get() + 1);
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(values.ToHost(), (std::vector<int>{7, 7, 7}));
}

TEST(StreamTest, ADestroyedStreamFinishesItsWork) {
  DeviceVector<int> value(1);
  {
    const Stream stream(cudaStreamDefault);
    Set<<<1, 1, 0, stream>>>(value.get(), 9);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value.ToHost()[0], 9);
}

TEST(StreamTest, KeepsFlagsAndPriority) {
  int least = 1;
  int greatest = 1;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, -5);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -9), cudaSuccess);
  unsigned flags = 0;
  int priority = 1;
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST(StreamTest, RunsMoreWorkThanAQueueHolds) {
  const Stream stream(cudaStreamDefault);
  DeviceVector<int> value(1);
  for (int i = 0; i <= 3000; ++i) Set<<<1, 1, 0, stream>>>(value.get(), i);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value.ToHost()[0], 3000);
}

struct Call {
  cudaError_t error = cudaSuccess;
  cudaStream_t stream = nullptr;
  int count = 0;
};

void Note(cudaStream_t stream, cudaError_t status, void* data) {
  *static_cast<Call*>(data) = {status, stream, 1};
}

TEST(CallbackTest, GetsItsStreamAndStatus) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  Call call{cudaErrorUnknown};
  ASSERT_EQ(cudaStreamAddCallback(stream, Note, &call, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(call.count, 1);
  EXPECT_EQ(call.error, cudaSuccess);
  EXPECT_EQ(call.stream, stream);
  EXPECT_EQ(cudaStreamAddCallback(stream, Note, &call, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

}  // namespace
