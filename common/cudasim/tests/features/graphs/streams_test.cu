// Events: time, state, flags, recording again. Streams: order within one and between several,
// flags, priorities, handles, callbacks.
#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

class EventTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaEventCreate(&start_));
    ASSERT_OK(cudaEventCreate(&stop_));
  }
  void TearDown() override {
    EXPECT_OK(cudaEventDestroy(start_));
    EXPECT_OK(cudaEventDestroy(stop_));
  }

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  float milliseconds_ = -1;
};

TEST_F(EventTest, MeasuresWhatLiesBetween) {
  ASSERT_OK(cudaEventRecord(start_));
  Nothing<<<100, 32>>>();
  ASSERT_OK(cudaEventRecord(stop_));
  ASSERT_OK(cudaEventSynchronize(stop_));
  ASSERT_OK(cudaEventElapsedTime(&milliseconds_, start_, stop_));
  EXPECT_GT(milliseconds_, 0);
}

TEST_F(EventTest, OneThatWasNeverRecordedIsOverButHasNoTime) {
  EXPECT_OK(cudaEventQuery(start_));
  EXPECT_OK(cudaEventSynchronize(start_));
  EXPECT_OK(cudaStreamWaitEvent(nullptr, start_));
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds_, start_, stop_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST_F(EventTest, OneWithoutTimingHasNoTime) {
  cudaEvent_t untimed = nullptr;
  ASSERT_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  ASSERT_OK(cudaEventRecord(start_));
  ASSERT_OK(cudaEventRecord(untimed));
  ASSERT_OK(cudaEventSynchronize(untimed));
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds_, start_, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_OK(cudaEventDestroy(untimed));
}

TEST_F(EventTest, RefusesUnknownFlagsAndHandles) {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 0x100), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST(StreamTest, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  const Stream first(cudaStreamDefault);
  const Stream second(cudaStreamDefault);
  DeviceVector<int> values(3);
  Set<<<1, 1, 0, first>>>(values.get(), 7);
  Copy<<<1, 1>>>(values.get() + 1, values.get());
  Copy<<<1, 1, 0, second>>>(values.get() + 2, values.get() + 1);
  ASSERT_OK(cudaStreamSynchronize(second));
  EXPECT_EQ(values.ToHost(), (std::vector<int>{7, 7, 7}));
}

TEST(StreamTest, ADestroyedStreamFinishesItsWork) {
  DeviceVector<int> value(1);
  {
    const Stream stream(cudaStreamDefault);
    Set<<<1, 1, 0, stream>>>(value.get(), 9);
  }
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(value.ToHost()[0], 9);
}

TEST(StreamTest, KeepsFlagsAndPriority) {
  int least = 1;
  int greatest = 1;
  ASSERT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, -5);
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -9));
  unsigned flags = 0;
  int priority = 1;
  EXPECT_OK(cudaStreamGetFlags(stream, &flags));
  EXPECT_OK(cudaStreamGetPriority(stream, &priority));
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, greatest);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST(StreamTest, RunsMoreWorkThanAQueueHolds) {
  const Stream stream(cudaStreamDefault);
  DeviceVector<int> value(1);
  for (int i = 0; i <= 3000; ++i) Set<<<1, 1, 0, stream>>>(value.get(), i);
  ASSERT_OK(cudaStreamSynchronize(stream));
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
  ASSERT_OK(cudaStreamCreate(&stream));
  Call call{cudaErrorUnknown};
  ASSERT_OK(cudaStreamAddCallback(stream, Note, &call, 0));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(call.count, 1);
  EXPECT_OK(call.error);
  EXPECT_EQ(call.stream, stream);
  EXPECT_EQ(cudaStreamAddCallback(stream, Note, &call, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaStreamDestroy(stream));
}

}  // namespace
