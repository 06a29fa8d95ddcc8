// What tests of graphs have in common.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#define EXPECT_OK(call) EXPECT_EQ(call, cudaSuccess)
#define ASSERT_OK(call) ASSERT_EQ(call, cudaSuccess)

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
