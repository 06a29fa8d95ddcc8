// Calls that a stream capture forbids.
#include <functional>
#include <thread>

#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

void CUDART_CB Callback(cudaStream_t, cudaError_t, void*) {}

constexpr cudaStreamCaptureMode kModes[] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};

TEST_F(CaptureTest, ForbiddenCallsInvalidate) {
  void* memory = nullptr;
  const DeviceVector<int> value(1);
  const auto unsupported = cudaErrorStreamCaptureUnsupported;
  const struct {
    const char* what;
    cudaError_t error;
    std::function<cudaError_t()> call;
    int modes = 1;  // in which it is forbidden, of kModes
  } calls[] = {
      {"wait for the stream", unsupported, [&] { return cudaStreamSynchronize(stream_); }},
      {"query of the stream", unsupported, [&] { return cudaStreamQuery(stream_); }},
      {"wait for the device", unsupported, [] { return cudaDeviceSynchronize(); }, 3},
      {"allocation", unsupported, [&] { return cudaMalloc(&memory, 4); }, 2},
      {"callback", unsupported,
       [&] { return cudaStreamAddCallback(stream_, Callback, nullptr, 0); }},
      {"query of an event", cudaErrorCapturedEvent,
       [&] {
         EXPECT_OK(cudaEventRecord(event_, stream_));
         return cudaEventQuery(event_);
       }},
      {"wait for work outside", cudaErrorStreamCaptureIsolation,
       [&] { return cudaStreamWaitEvent(stream_, event_, 0); }},
  };
  for (const auto& [what, error, call, modes] : calls) {
    for (int mode = 0; mode < modes; ++mode) {
      SCOPED_TRACE(what);
      ASSERT_OK(cudaEventRecord(event_, second_));
      Begin(kModes[mode]);
      EXPECT_EQ(call(), error);
      // What follows fails, too.
      Set<<<1, 1, 0, stream_>>>(value.get(), 1);
      EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
      EXPECT_EQ(cudaMemsetAsync(value.get(), 0, 4, stream_), cudaErrorStreamCaptureInvalidated);
      ExpectInvalidated();
    }
  }
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

TEST_F(CaptureTest, UnsafeCallsOfAnotherThreadInvalidateInGlobalModeOnly) {
  void* memory = nullptr;
  cudaError_t error = cudaSuccess;
  const auto allocate = [&] {
    error = cudaMalloc(&memory, 4);
    if (error == cudaSuccess) error = cudaFree(memory);
  };
  Begin();
  std::thread(allocate).join();
  EXPECT_EQ(error, cudaErrorStreamCaptureUnsupported);
  ExpectInvalidated();
  Begin(cudaStreamCaptureModeThreadLocal);
  std::thread(allocate).join();
  EXPECT_OK(error);
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

TEST_F(CaptureTest, AForkMustBeJoinedWithAllItsWork) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  for (const bool joins_early : {false, true}) {
    Begin();
    Order(stream_, second_);
    if (joins_early) Order(second_, stream_);
    Set<<<1, 1, 0, second_>>>(value.get(), 1);
    ExpectEnd(cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(StatusOf(second_), cudaStreamCaptureStatusNone);
  }
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

TEST_F(CaptureTest, NoStreamWaitsForAnEndedCapture) {
  Begin();
  ASSERT_OK(cudaEventRecord(event_, stream_));
  End();
  EXPECT_EQ(cudaStreamWaitEvent(second_, event_, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaErrorInvalidValue);
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

}  // namespace
