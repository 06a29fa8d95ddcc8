// Streams: order within one and between several, flags, priorities, handles.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/kernels.h"

namespace {

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamDefault) {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, flags), cudaSuccess);
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

TEST(StreamTest, RunsItsWorkInOrder) {
  const Stream stream;
  DeviceVector<int> value(1);
  Set<<<1, 1, 0, stream>>>(value.get(), 5);
  Double<<<1, 1, 0, stream>>>(value.get());
  ASSERT_EQ(cudaMemsetAsync(value.get(), 1, 1, stream), cudaSuccess);
  Double<<<1, 1, 0, stream>>>(value.get());
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value.ToHost()[0], 2);
}

TEST(StreamTest, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  const Stream first;
  const Stream second;
  DeviceVector<int> values(3);
  Set<<<1, 1, 0, first>>>(values.get(), 7);
  Copy<<<1, 1>>>(values.get() + 1, values.get());
  Copy<<<1, 1, 0, second>>>(values.get() + 2, values.get() + 1);
  ASSERT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(values.ToHost(), (std::vector<int>{7, 7, 7}));
}

TEST(StreamTest, AnEventOrdersTwoStreams) {
  const Stream producer(cudaStreamNonBlocking);
  const Stream consumer(cudaStreamNonBlocking);
  DeviceVector<int> values(2);
  cudaEvent_t ready = nullptr;
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming), cudaSuccess);
  Set<<<1, 1, 0, producer>>>(values.get(), 3);
  ASSERT_EQ(cudaEventRecord(ready, producer), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(consumer, ready), cudaSuccess);
  Copy<<<1, 1, 0, consumer>>>(values.get() + 1, values.get());
  ASSERT_EQ(cudaStreamSynchronize(consumer), cudaSuccess);
  EXPECT_EQ(values.ToHost(), (std::vector<int>{3, 3}));
  EXPECT_EQ(cudaEventDestroy(ready), cudaSuccess);
}

TEST(StreamTest, ADestroyedStreamFinishesItsWork) {
  DeviceVector<int> value(1);
  {
    const Stream stream;
    Set<<<1, 1, 0, stream>>>(value.get(), 9);
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value.ToHost()[0], 9);
}

TEST(StreamTest, AQueryEndsInSuccess) {
  const Stream stream;
  DeviceVector<int> value(1);
  for (int i = 0; i < 10; ++i) Set<<<1, 1, 0, stream>>>(value.get(), i);
  int queries = 0;
  cudaError_t error = cudaErrorNotReady;
  while (queries < 1000 && error == cudaErrorNotReady) {
    error = cudaStreamQuery(stream);
    ++queries;
  }
  EXPECT_EQ(error, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
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
  const Stream stream;
  DeviceVector<int> value(1);
  for (int i = 0; i <= 3000; ++i) Set<<<1, 1, 0, stream>>>(value.get(), i);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(value.ToHost()[0], 3000);
}

TEST(StreamTest, AllocatesAndFreesInOrder) {
  const Stream stream;
  DeviceVector<int> result(1);
  int* value = nullptr;
  ASSERT_EQ(cudaMallocAsync(&value, sizeof(int), stream), cudaSuccess);
  Set<<<1, 1, 0, stream>>>(value, 4);
  Copy<<<1, 1, 0, stream>>>(result.get(), value);
  ASSERT_EQ(cudaFreeAsync(value, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(result.ToHost()[0], 4);
}

}  // namespace
