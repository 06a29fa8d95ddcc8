// Events: time, state, flags, recording again.
#include "common/cudasim/tests/features/test.h"

namespace {

class EventTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaEventCreate(&start_), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&stop_), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaEventDestroy(start_), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(stop_), cudaSuccess);
  }

  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  float milliseconds_ = -1;
};

TEST_F(EventTest, MeasuresWhatLiesBetween) {
  ASSERT_EQ(cudaEventRecord(start_), cudaSuccess);
  Nothing<<<100, 32>>>();
  ASSERT_EQ(cudaEventRecord(stop_), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(stop_), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds_, start_, stop_), cudaSuccess);
  EXPECT_GT(milliseconds_, 0);
}

TEST_F(EventTest, OneThatWasNeverRecordedIsOverButHasNoTime) {
  EXPECT_EQ(cudaEventQuery(start_), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(start_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, start_), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds_, start_, stop_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST_F(EventTest, OneWithoutTimingHasNoTime) {
  cudaEvent_t untimed = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start_), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(untimed), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds_, start_, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
}

TEST_F(EventTest, RefusesUnknownFlagsAndHandles) {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 0x100), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

}  // namespace
