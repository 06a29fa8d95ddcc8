// The program with which courses introduce graphs: a loop of short kernels is captured once and
// launched often.
#include <cuda_runtime.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/graph_helpers.h"

namespace {

constexpr int kCount = 64;
constexpr int kKernels = 20;
constexpr int kLaunches = 1000;

__global__ void Step(unsigned* out, const unsigned* in, int n, unsigned salt) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[i] * 3 + in[(i + 1) % n] + salt;
}

TEST(GraphCourseTest, AGraphOfTwentyKernelsIsLaunchedAThousandTimes) {
  const DeviceVector<unsigned> a(std::vector<unsigned>(kCount, 1));
  const DeviceVector<unsigned> b(kCount);
  ASSERT_OK(cudaDeviceSynchronize());
  const Stream stream;
  bool graph_created = false;
  Graph graph;
  cudaGraphExec_t instance = nullptr;
  for (int launch = 0; launch < kLaunches; ++launch) {
    if (!graph_created) {
      ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
      for (int k = 0; k < kKernels; ++k) {
        unsigned* const from = k % 2 == 0 ? a.get() : b.get();
        unsigned* const to = k % 2 == 0 ? b.get() : a.get();
        Step<<<2, kCount / 2, 0, stream>>>(to, from, kCount, static_cast<unsigned>(k));
      }
      ASSERT_OK(cudaStreamEndCapture(stream, &graph.handle));
      ASSERT_OK(cudaGraphInstantiate(&instance, graph, nullptr, nullptr, 0));
      graph_created = true;
    }
    ASSERT_OK(cudaGraphLaunch(instance, stream));
    if (launch % 100 == 0) {
      ASSERT_OK(cudaStreamSynchronize(stream));
    }
  }
  ASSERT_OK(cudaStreamSynchronize(stream));
  ASSERT_OK(cudaGraphExecDestroy(instance));

  // All elements are equal at the start and stay so.
  unsigned expected = 1;
  for (int launch = 0; launch < kLaunches; ++launch) {
    for (unsigned k = 0; k < kKernels; ++k) expected = 4 * expected + k;
  }
  EXPECT_EQ(a.ToHost(), std::vector<unsigned>(kCount, expected));
}

}  // namespace
