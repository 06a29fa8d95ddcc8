// A graph that a test builds and launches.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "common/cudasim/tests/features/graph_helpers.h"

// Parameters for cudaGraphAddNode(), all zero.
inline cudaGraphNodeParams OfType(cudaGraphNodeType type) {
  cudaGraphNodeParams parameters{};
  parameters.type = type;
  return parameters;
}

class GraphTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaGraphCreate(&graph_.handle, 0));
    ASSERT_OK(cudaDeviceSynchronize());
  }
  void Launch(int times = 1) {
    ASSERT_OK(cudaDeviceSynchronize());
    const Executable exec(graph_);
    LaunchAndWait(exec, stream_, times);
  }

  Graph graph_;
  const Stream stream_;
};
