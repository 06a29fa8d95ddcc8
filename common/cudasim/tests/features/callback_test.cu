// Host functions in streams.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/kernels.h"

namespace {

struct Call {
  cudaError_t error = cudaSuccess;
  cudaStream_t stream = nullptr;
  int count = 0;
};

void Note(cudaStream_t stream, cudaError_t status, void* data) {
  *static_cast<Call*>(data) = {status, stream, 1};
}

TEST(CallbackTest, RunsInTheStreamsOrder) {
  int value = 0;
  int seen = 0;
  struct Step {
    const int* from;
    int* to;
  } step{&value, &seen};
  DeviceVector<int> device(1);
  Set<<<1, 1>>>(device.get(), 11);
  ASSERT_EQ(cudaMemcpyAsync(&value, device.get(), sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  const auto copy = [](void* data) {
    const auto& s = *static_cast<Step*>(data);
    *s.to = *s.from;
  };
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, copy, &step), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen, 11);
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
