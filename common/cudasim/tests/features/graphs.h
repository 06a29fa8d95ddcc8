// What tests of graphs have in common.
#pragma once

#include "common/cudasim/tests/features/test.h"

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    EXPECT_OK(cudaStreamCreateWithFlags(&stream_, flags));
  }
  ~Stream() { EXPECT_OK(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { EXPECT_OK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { EXPECT_OK(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// A graph that the program builds or captures.
struct Graph {
  Graph() = default;
  ~Graph() {
    if (handle != nullptr) {
      EXPECT_OK(cudaGraphDestroy(handle));
    }
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  operator cudaGraph_t() const { return handle; }

  cudaGraph_t handle = nullptr;
};

class Executable {
 public:
  explicit Executable(cudaGraph_t graph) { EXPECT_OK(cudaGraphInstantiate(&exec_, graph, 0)); }
  ~Executable() { EXPECT_OK(cudaGraphExecDestroy(exec_)); }
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  operator cudaGraphExec_t() const { return exec_; }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

inline void LaunchAndWait(cudaGraphExec_t exec, cudaStream_t stream, int times = 1) {
  for (int i = 0; i < times; ++i) ASSERT_OK(cudaGraphLaunch(exec, stream));
  ASSERT_OK(cudaStreamSynchronize(stream));
}

template <class... Arguments>
struct Pointers {
  explicit Pointers(Arguments&... arguments) : list{&arguments...} {}
  void* list[sizeof...(Arguments)];
};

inline void CUDART_CB Increment(void* counter) { ++*static_cast<int*>(counter); }

// A node that launches the kernel with copies of the arguments.
template <class... P>
cudaGraphNode_t AddKernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                          void (*kernel)(P...), P... arguments) {
  Pointers<P...> pointers(arguments...);
  const cudaKernelNodeParams parameters{
      reinterpret_cast<void*>(kernel), dim3(1), dim3(1), 0, pointers.list, nullptr};
  cudaGraphNode_t node = nullptr;
  EXPECT_OK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
  return node;
}

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
