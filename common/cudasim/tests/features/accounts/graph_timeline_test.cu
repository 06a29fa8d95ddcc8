// The timeline and the critical path of graphs, which profile mode keeps.
#include <cuda_runtime.h>

#include <functional>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"
#include "common/cudasim/tests/features/graphs.h"

namespace {

constexpr int kParts = 6;
constexpr int kStreams = 3;
constexpr int kPart = 1 << 14;
constexpr std::size_t kPartBytes = kPart * sizeof(int);

__global__ void Increase(int* values) { ++values[blockIdx.x * blockDim.x + threadIdx.x]; }

class GraphTimelineTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cudaMallocHost(&pinned_, kParts * kPartBytes));
    ASSERT_OK(cudaMalloc(&device_, kParts * kPartBytes));
    ASSERT_OK(cudaDeviceSynchronize());
  }
  void TearDown() override {
    EXPECT_OK(cudaFree(device_));
    EXPECT_OK(cudaFreeHost(pinned_));
  }

  // Each chunk goes to the device, through the kernel and back, in one of the streams, which fork
  // from the first one and join it.
  void Pipeline(int streams) {
    ASSERT_OK(cudaEventRecord(event_, streams_[0]));
    for (int s = 1; s < streams; ++s) ASSERT_OK(cudaStreamWaitEvent(streams_[s], event_, 0));
    for (int i = 0; i < kParts; ++i) {
      const cudaStream_t stream = streams_[i % streams];
      int* const host = pinned_ + i * kPart;
      int* const device = device_ + i * kPart;
      ASSERT_OK(cudaMemcpyAsync(device, host, kPartBytes, cudaMemcpyHostToDevice, stream));
      Increase<<<kPart / 256, 256, 0, stream>>>(device);
      ASSERT_OK(cudaMemcpyAsync(host, device, kPartBytes, cudaMemcpyDeviceToHost, stream));
    }
    for (int s = 1; s < streams; ++s) {
      ASSERT_OK(cudaEventRecord(event_, streams_[s]));
      ASSERT_OK(cudaStreamWaitEvent(streams_[0], event_, 0));
    }
  }

  void Capture(int streams) {
    ASSERT_OK(cudaStreamBeginCapture(streams_[0], cudaStreamCaptureModeGlobal));
    Pipeline(streams);
    ASSERT_OK(cudaStreamEndCapture(streams_[0], &graph_.handle));
  }

  double Overlap(const std::function<void()>& work) {
    simulatorResetProfile();
    work();
    EXPECT_OK(cudaDeviceSynchronize());
    const cudasim::Layout& layout = cudasim::TimelineOfCall();
    return static_cast<double>(layout.busy) / static_cast<double>(layout.makespan);
  }

  Stream streams_[kStreams];
  const Event event_;
  Graph graph_;
  int* pinned_ = nullptr;
  int* device_ = nullptr;
};

TEST_F(GraphTimelineTest, BranchesOverlapAsStreamsDo) {
  Capture(kStreams);
  const Executable exec(graph_);
  const double streams = Overlap([&] { Pipeline(kStreams); });
  const double graph = Overlap([&] { cudaGraphLaunch(exec, streams_[0]); });
  EXPECT_GT(graph, 1.5);
  EXPECT_GE(graph, streams);  // the host submits only once
}

TEST_F(GraphTimelineTest, AChainOverlapsNothing) {
  Capture(1);
  const Executable exec(graph_);
  EXPECT_LT(Overlap([&] { cudaGraphLaunch(exec, streams_[0]); }), 1);
}

TEST_F(GraphTimelineTest, LaunchesOfOneGraphDoNotOverlap) {
  ASSERT_OK(cudaGraphCreate(&graph_.handle, 0));
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, device_, pinned_, kPartBytes,
                                     cudaMemcpyHostToDevice));
  ASSERT_OK(cudaGraphAddMemcpyNode1D(&node, graph_, &node, 1, pinned_, device_, kPartBytes,
                                     cudaMemcpyDeviceToHost));
  const Executable exec(graph_);
  EXPECT_LT(Overlap([&] {
              for (int i = 0; i < 4; ++i) cudaGraphLaunch(exec, streams_[i % 2]);
            }),
            1);
}

TEST_F(GraphTimelineTest, TheCriticalPathIsThatOfTheLongestBranch) {
  Capture(1);
  const Executable chain(graph_);
  Overlap([&] { cudaGraphLaunch(chain, streams_[0]); });
  const std::uint64_t work = cudasim::CallWork();
  const std::uint64_t span = cudasim::CallSpan();
  ASSERT_OK(cudaGraphDestroy(graph_));
  Capture(kStreams);
  const Executable branches(graph_);
  Overlap([&] { cudaGraphLaunch(branches, streams_[0]); });
  EXPECT_EQ(cudasim::CallWork(), work);
  EXPECT_EQ(kStreams * cudasim::CallSpan(), span);
}

}  // namespace
