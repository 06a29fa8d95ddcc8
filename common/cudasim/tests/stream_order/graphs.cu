// Pairs of programs with graphs, one with a dependence and one without it or with it in the wrong
// place.  `PROGRAM list` prints the names, `PROGRAM NAME` runs one.
#include "common/cudasim/tests/stream_order/pair_programs.h"

namespace order_of_graphs {

volatile int sink;

__global__ void Copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }

void ReadBuffer(void* buffer) { sink = static_cast<int*>(buffer)[1]; }
void FillBuffer(void* buffer) { static_cast<int*>(buffer)[2] = 5; }

struct Resources : Buffers {
  Resources() { cudaGraphCreate(&graph, 0); }
  ~Resources() {
    cudaDeviceSynchronize();
    for (const cudaGraphExec_t exec : execs) {
      if (exec != nullptr) cudaGraphExecDestroy(exec);
    }
    cudaGraphDestroy(graph);
  }

  cudaGraphNode_t AddKernel(int* to, const int* from) {
    void* arguments[] = {&to, &from};
    const cudaKernelNodeParams parameters{
        reinterpret_cast<void*>(Copy), dim3(1), dim3(kCount), 0, arguments, nullptr};
    cudaGraphNode_t node = nullptr;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
    return node;
  }
  cudaGraphNode_t AddCopyIn() {
    cudaGraphNode_t node = nullptr;
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, in, host_in, kBytes, cudaMemcpyHostToDevice);
    return node;
  }
  cudaGraphNode_t AddCopyOut() {
    cudaGraphNode_t node = nullptr;
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host_out, out, kBytes,
                             cudaMemcpyDeviceToHost);
    return node;
  }
  cudaGraphNode_t AddFunction(cudaHostFn_t function, void* data) {
    const cudaHostNodeParams parameters{function, data};
    cudaGraphNode_t node = nullptr;
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters);
    return node;
  }
  void AddEdge(cudaGraphNode_t from, cudaGraphNode_t to) {
    cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
  }

  void Begin() {
    cudaGraphDestroy(graph);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  }
  void End() { cudaStreamEndCapture(first, &graph); }

  void Launch(cudaStream_t stream, int which = 0) {
    if (execs[which] == nullptr) cudaGraphInstantiate(&execs[which], graph, 0);
    cudaGraphLaunch(execs[which], stream);
  }

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t execs[2] = {};
};

template <bool kRight>
void KernelDependsOnTheCopyOfItsInput(Resources& r) {
  const cudaGraphNode_t copy = r.AddCopyIn();
  const cudaGraphNode_t kernel = r.AddKernel(r.out, r.in);
  if (kRight) r.AddEdge(copy, kernel);
  r.Launch(r.first);
}

template <bool kRight>
void CopyDependsOnTheKernelOfItsSource(Resources& r) {
  const cudaGraphNode_t kernel = r.AddKernel(r.out, r.in);
  const cudaGraphNode_t copy = r.AddCopyOut();
  if (kRight) r.AddEdge(kernel, copy);
  r.Launch(r.first);
}

template <bool kRight>
void TwoKernelsWriteOneBufferInTurn(Resources& r) {
  const cudaGraphNode_t one = r.AddKernel(r.out, r.in);
  const cudaGraphNode_t two = r.AddKernel(r.out, r.in);
  if (kRight) r.AddEdge(one, two);
  r.Launch(r.first);
}

template <bool kRight>
void ADependenceMayBeOfSeveralSteps(Resources& r) {
  cudaGraphNode_t empty = nullptr;
  cudaGraphAddEmptyNode(&empty, r.graph, nullptr, 0);
  const cudaGraphNode_t copy = r.AddCopyIn();
  const cudaGraphNode_t kernel = r.AddKernel(r.out, r.in);
  r.AddEdge(copy, empty);
  if (kRight) r.AddEdge(empty, kernel);
  r.Launch(r.first);
}

template <bool kRight>
void FunctionDependsOnTheCopy(Resources& r) {
  const cudaGraphNode_t copy = r.AddCopyOut();
  const cudaGraphNode_t function = r.AddFunction(ReadBuffer, r.host_out);
  if (kRight) r.AddEdge(copy, function);
  r.Launch(r.first);
}

// The stream runs the function first.
template <bool kRight>
void KernelDependsOnTheFunction(Resources& r) {
  const cudaGraphNode_t function = r.AddFunction(FillBuffer, r.host_in);
  const cudaGraphNode_t kernel = r.AddKernel(r.out, r.host_in);
  if (kRight) r.AddEdge(function, kernel);
  r.Launch(r.first);
  cudaStreamSynchronize(r.first);
}

template <bool kRight>
void ChildGraphDependsOnTheCopy(Resources& r) {
  cudaGraph_t child = nullptr;
  r.AddKernel(r.out, r.in);
  cudaGraphClone(&child, r.graph);
  cudaGraphDestroy(r.graph);
  cudaGraphCreate(&r.graph, 0);
  const cudaGraphNode_t copy = r.AddCopyIn();
  cudaGraphNode_t node = nullptr;
  cudaGraphAddChildGraphNode(&node, r.graph, nullptr, 0, child);
  if (kRight) r.AddEdge(copy, node);
  r.Launch(r.first);
  cudaGraphDestroy(child);
}

// The second stream joins in time, or one launch too late.
template <bool kRight>
void TheForkIsJoinedBeforeItsResultIsUsed(Resources& r) {
  r.Begin();
  r.Order(r.first, r.second);
  Copy<<<1, kCount, 0, r.second>>>(r.in, r.out);
  if (kRight) r.Order(r.second, r.first);
  cudaMemcpyAsync(r.host_out, r.in, kBytes, cudaMemcpyDeviceToHost, r.first);
  if (!kRight) r.Order(r.second, r.first);
  r.End();
  r.Launch(r.first);
}

// The fork comes after the kernel, or before it.
template <bool kRight>
void TheForkComesAfterItsInput(Resources& r) {
  r.Begin();
  if (!kRight) r.Order(r.first, r.second);
  cudaMemsetAsync(r.in, 1, kBytes, r.first);
  if (kRight) r.Order(r.first, r.second);
  Copy<<<1, kCount, 0, r.second>>>(r.out, r.in);
  r.Order(r.second, r.first);
  r.End();
  r.Launch(r.first);
}

template <bool kRight>
void HostWaitsForTheGraph(Resources& r) {
  r.AddCopyOut();
  r.Launch(r.first);
  if (kRight) cudaStreamSynchronize(r.first);
  sink = r.host_out[3];
}

template <bool kRight>
void AnotherStreamWaitsForTheGraph(Resources& r) {
  r.AddCopyIn();
  r.Launch(r.first);
  if (kRight) r.Order(r.first, r.second);
  Copy<<<1, kCount, 0, r.second>>>(r.out, r.in);
}

// Launches of one executable graph follow each other, those of two do not.
template <bool kRight>
void LaunchesOfOneExecutableGraphFollowEachOther(Resources& r) {
  r.AddKernel(r.out, r.in);
  r.Launch(r.first, 0);
  r.Launch(r.second, kRight ? 0 : 1);
}

const bool listed = AddPairs(
    {PAIR(KernelDependsOnTheCopyOfItsInput), PAIR(CopyDependsOnTheKernelOfItsSource),
     PAIR(TwoKernelsWriteOneBufferInTurn), PAIR(ADependenceMayBeOfSeveralSteps),
     PAIR(FunctionDependsOnTheCopy), PAIR(KernelDependsOnTheFunction),
     PAIR(ChildGraphDependsOnTheCopy), PAIR(TheForkIsJoinedBeforeItsResultIsUsed),
     PAIR(TheForkComesAfterItsInput), PAIR(HostWaitsForTheGraph),
     PAIR(AnotherStreamWaitsForTheGraph), PAIR(LaunchesOfOneExecutableGraphFollowEachOther)});

}  // namespace order_of_graphs
