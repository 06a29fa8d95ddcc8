// A failing assertion in a kernel: an error of the device, not the end of the process.  Plain mode
// only: in check mode it is a finding.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cassert>
#include <string>

namespace {

__global__ void AssertSmall(unsigned limit) { assert(blockIdx.x * 32 + threadIdx.x < limit); }

TEST(AssertTest, FailsTheLaunchWithTheWordsOfTheDevice) {
  AssertSmall<<<2, 32>>>(64);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  testing::internal::CaptureStderr();
  AssertSmall<<<1, 32>>>(31);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("assert_test.cu:11: void {anonymous}::AssertSmall(unsigned int): block: "
                      "[0,0,0], thread: [31,0,0] Assertion `blockIdx.x * 32 + threadIdx.x < limit` "
                      "failed.\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(cudaGetLastError(), cudaErrorAssert);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorAssert);
  EXPECT_STREQ(cudaGetErrorString(cudaErrorAssert), "device-side assert triggered");
}

}  // namespace
