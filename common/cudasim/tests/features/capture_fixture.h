// A stream that captures, for tests.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "common/cudasim/tests/features/graph_helpers.h"

inline cudaStreamCaptureStatus StatusOf(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  return status;
}

class CaptureTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(cudaDeviceSynchronize()); }

  void Begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    ASSERT_OK(cudaStreamBeginCapture(stream_, mode));
  }
  void End() {
    ASSERT_OK(cudaStreamEndCapture(stream_, &graph_.handle));
    ASSERT_NE(graph_.handle, nullptr);
  }
  // The capture was invalidated: it ends with this error and without a graph.
  void ExpectEnd(cudaError_t error) {
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_.handle), error);
    EXPECT_EQ(graph_.handle, nullptr);
    EXPECT_EQ(StatusOf(stream_), cudaStreamCaptureStatusNone);
    EXPECT_EQ(cudaGetLastError(), error);
  }
  void ExpectInvalidated() {
    EXPECT_EQ(StatusOf(stream_), cudaStreamCaptureStatusInvalidated);
    ExpectEnd(cudaErrorStreamCaptureInvalidated);
  }
  // `from` goes on, and `to` waits for what it has until now.
  void Order(cudaStream_t from, cudaStream_t to) {
    ASSERT_OK(cudaEventRecord(event_, from));
    ASSERT_OK(cudaStreamWaitEvent(to, event_, 0));
  }
  size_t Nodes() const {
    size_t count = 0;
    EXPECT_OK(cudaGraphGetNodes(graph_, nullptr, &count));
    return count;
  }
  size_t Edges() const {
    size_t count = 0;
    EXPECT_OK(cudaGraphGetEdges(graph_, nullptr, nullptr, nullptr, &count));
    return count;
  }

  const Stream stream_;
  const Stream second_;
  const Event event_;
  Graph graph_;
};
