// Calls that a stream capture forbids.
#include <cuda_runtime.h>

#include <thread>

#include "common/cudasim/tests/features/capture_fixture.h"
#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/graph_helpers.h"
#include "common/cudasim/tests/features/kernels.h"

namespace {

TEST_F(CaptureTest, WaitingForACapturingStreamInvalidates) {
  Begin();
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
  ExpectInvalidated();
}

TEST_F(CaptureTest, QueryingACapturingStreamInvalidates) {
  Begin();
  EXPECT_EQ(cudaStreamQuery(stream_), cudaErrorStreamCaptureUnsupported);
  ExpectInvalidated();
}

TEST_F(CaptureTest, WaitingForTheDeviceInvalidatesInEveryMode) {
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                          cudaStreamCaptureModeRelaxed}) {
    Begin(mode);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    ExpectInvalidated();
  }
}

TEST_F(CaptureTest, WaitingForACapturedEventInvalidates) {
  Begin();
  ASSERT_OK(cudaEventRecord(event_, stream_));
  EXPECT_EQ(cudaEventQuery(event_), cudaErrorCapturedEvent);
  ExpectInvalidated();
  EXPECT_EQ(cudaEventSynchronize(event_), cudaErrorInvalidValue) << "after the end";
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(CaptureTest, LaunchingAGraphInvalidates) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  Set<<<1, 1, 0, stream_>>>(value.get(), 10);
  End();
  const Executable inner(graph_);
  ASSERT_OK(cudaStreamBeginCapture(second_, cudaStreamCaptureModeRelaxed));
  EXPECT_EQ(cudaGraphLaunch(inner, second_), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(StatusOf(second_), cudaStreamCaptureStatusInvalidated);
  Graph none;
  EXPECT_EQ(cudaStreamEndCapture(second_, &none.handle), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CaptureTest, WorkAfterAnInvalidationFails) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
  Set<<<1, 1, 0, stream_>>>(value.get(), 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaMemsetAsync(value.get(), 0, 4, stream_), cudaErrorStreamCaptureInvalidated);
  ExpectInvalidated();
}

TEST_F(CaptureTest, UnsafeCallsInvalidateInGlobalMode) {
  void* memory = nullptr;
  Begin();
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported);
  ExpectInvalidated();
  Begin(cudaStreamCaptureModeThreadLocal);
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported) << "the same thread";
  ExpectInvalidated();
  Begin();
  std::thread([&] {
    EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported) << "another thread";
  }).join();
  ExpectInvalidated();
}

TEST_F(CaptureTest, UnsafeCallsAreAllowedInRelaxedMode) {
  void* memory = nullptr;
  Begin(cudaStreamCaptureModeRelaxed);
  EXPECT_OK(cudaMalloc(&memory, 4));
  EXPECT_OK(cudaFree(memory));
  End();
  Begin(cudaStreamCaptureModeThreadLocal);
  std::thread([&] {
    EXPECT_OK(cudaMalloc(&memory, 4));
    EXPECT_OK(cudaFree(memory));
  }).join();
  EXPECT_OK(cudaGraphDestroy(graph_));
  End();
}

TEST_F(CaptureTest, AThreadMayAllowItselfUnsafeCalls) {
  void* memory = nullptr;
  Begin();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASSERT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_OK(cudaMalloc(&memory, 4));
  EXPECT_OK(cudaFree(memory));
  ASSERT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
  End();
}

TEST_F(CaptureTest, TheLegacyStreamMustNotBeUsedWhileABlockingStreamCaptures) {
  const DeviceVector<int> value(1);
  const Stream blocking(cudaStreamDefault);
  ASSERT_OK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  const auto expect_invalidated = [&] {
    EXPECT_EQ(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
    cudaGetLastError();
  };
  ASSERT_OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(nullptr, &status), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(StatusOf(blocking), cudaStreamCaptureStatusActive) << "a question invalidates nothing";
  Set<<<1, 1>>>(value.get(), 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  expect_invalidated();
  ASSERT_OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
  int host = 0;
  EXPECT_EQ(cudaMemcpy(&host, value.get(), 4, cudaMemcpyDeviceToHost),
            cudaErrorStreamCaptureImplicit);
  expect_invalidated();
}

TEST_F(CaptureTest, TheLegacyStreamMayBeUsedWhileAnotherStreamCaptures) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  Begin(cudaStreamCaptureModeRelaxed);
  Set<<<1, 1>>>(value.get(), 7);
  EXPECT_OK(cudaGetLastError());
  End();
  EXPECT_EQ(value.ToHost()[0], 7);
}

TEST_F(CaptureTest, AForkMustBeJoined) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  Order(stream_, second_);
  Set<<<1, 1, 0, second_>>>(value.get(), 1);
  ExpectEnd(cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(StatusOf(second_), cudaStreamCaptureStatusNone);
}

TEST_F(CaptureTest, WorkAfterTheJoinMustBeJoinedToo) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  Order(stream_, second_);
  Order(second_, stream_);
  Set<<<1, 1, 0, second_>>>(value.get(), 1);
  ExpectEnd(cudaErrorStreamCaptureUnjoined);
}

TEST_F(CaptureTest, EndsInTheStreamInWhichItBegan) {
  Begin();
  Order(stream_, second_);
  EXPECT_EQ(cudaStreamEndCapture(second_, &graph_.handle), cudaErrorStreamCaptureUnmatched);
  ExpectInvalidated();
}

TEST_F(CaptureTest, EndsInTheThreadInWhichItBegan) {
  Begin();
  std::thread([&] {
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_.handle), cudaErrorStreamCaptureWrongThread);
  }).join();
  EXPECT_EQ(StatusOf(stream_), cudaStreamCaptureStatusNone) << "without a graph";
  EXPECT_EQ(graph_.handle, nullptr);
  Begin(cudaStreamCaptureModeRelaxed);
  std::thread([&] { End(); }).join();
}

TEST_F(CaptureTest, DoesNotDependOnWorkOutside) {
  ASSERT_OK(cudaEventRecord(event_, second_));
  Begin();
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event_, 0), cudaErrorStreamCaptureIsolation);
  ExpectInvalidated();
}

TEST_F(CaptureTest, NoStreamWaitsForAnEndedCapture) {
  Begin();
  ASSERT_OK(cudaEventRecord(event_, stream_));
  End();
  EXPECT_EQ(cudaStreamWaitEvent(second_, event_, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(CaptureTest, TwoCapturesDoNotMerge) {
  Begin();
  ASSERT_OK(cudaStreamBeginCapture(second_, cudaStreamCaptureModeGlobal));
  ASSERT_OK(cudaEventRecord(event_, second_));
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event_, 0), cudaErrorStreamCaptureMerge);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(second_, &graph), cudaErrorStreamCaptureInvalidated);
  ExpectInvalidated();
}

TEST_F(CaptureTest, BeginsAndEndsOnce) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  Begin();
  EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalState);
  End();
  EXPECT_EQ(Nodes(), 0u);
}

void CUDART_CB Callback(cudaStream_t, cudaError_t, void*) {}

TEST_F(CaptureTest, CallbacksCannotBeCaptured) {
  Begin();
  EXPECT_EQ(cudaStreamAddCallback(stream_, Callback, nullptr, 0),
            cudaErrorStreamCaptureUnsupported);
  ExpectInvalidated();
}

}  // namespace
