// A failing assertion in a kernel: an error of the device, not the end of the process.  Plain mode
// only: in check mode it is a finding.
#include <cassert>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void AssertSmall(unsigned limit) { assert(blockIdx.x * 32 + threadIdx.x < limit); }

void FailAssertion() {
  AssertSmall<<<2, 32>>>(64);
  EXPECT_OK(cudaDeviceSynchronize());
  AssertSmall<<<1, 32>>>(31);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  EXPECT_EQ(cudaGetLastError(), cudaErrorAssert);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorAssert);
  EXPECT_STREQ(cudaGetErrorString(cudaErrorAssert), "device-side assert triggered");
}

TEST(AssertTest, FailsTheLaunchWithTheWordsOfTheDevice) {
  ExpectInOwnProcess(FailAssertion,
                     "assert_test.cu:[0-9]+: void .anonymous.::AssertSmall\\(unsigned int\\): "
                     "block: \\[0,0,0\\], thread: \\[31,0,0\\] Assertion "
                     "`blockIdx.x \\* 32 \\+ threadIdx.x < limit` failed.\n");
}

}  // namespace
