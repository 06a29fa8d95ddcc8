// Graphs that are built node by node: what their nodes do, and in which order.
#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

TEST_F(GraphTest, RunsNodesAfterTheirDependencies) {
  const DeviceVector<int> values(3);
  int* const v = values.get();
  const cudaGraphNode_t a = AddKernel(graph_, {}, Set, v, 3);
  const cudaGraphNode_t b = AddKernel(graph_, {}, Set, v + 1, 4);
  const cudaGraphNode_t sum =
      AddKernel<int*, const int*, const int*>(graph_, {a, b}, Sum, v + 2, v, v + 1);
  AddKernel(graph_, {sum}, Double, v + 2);
  Launch();
  EXPECT_EQ(values.ToHost()[2], 14);
}

TEST_F(GraphTest, CopiesAKernelsArgumentsWhenTheNodeIsMade) {
  const DeviceVector<int> value(1);
  int* pointer = value.get();
  int number = 7;
  void* arguments[] = {&pointer, &number};
  const cudaKernelNodeParams parameters{
      reinterpret_cast<void*>(Set), dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters));
  number = 8;
  pointer = nullptr;
  Launch();
  EXPECT_EQ(value.ToHost()[0], 7);
}

TEST_F(GraphTest, CopiesAndFillsInOneOrMoreDimensions) {
  const DeviceVector<int> device(8);
  std::vector<int> in{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int> out(8);
  const size_t bytes = 8 * sizeof(int);
  cudaGraphNode_t copy_in = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode1D(&copy_in, graph_, nullptr, 0, device.get(), in.data(), bytes,
                                     cudaMemcpyHostToDevice));
  // The last two of each row of four.
  const cudaMemsetParams fill{device.get() + 2, 4 * sizeof(int), 0xabcd1234u, 4, 2, 2};
  cudaGraphNode_t filled = nullptr;
  ASSERT_OK(cudaGraphAddMemsetNode(&filled, graph_, &copy_in, 1, &fill));
  cudaMemcpy3DParms copy_out{};
  copy_out.srcPtr = make_cudaPitchedPtr(device.get(), bytes, bytes, 1);
  copy_out.dstPtr = make_cudaPitchedPtr(out.data(), bytes, bytes, 1);
  copy_out.extent = make_cudaExtent(bytes, 1, 1);
  copy_out.kind = cudaMemcpyDeviceToHost;
  cudaGraphNode_t last = nullptr;
  ASSERT_OK(cudaGraphAddMemcpyNode(&last, graph_, &filled, 1, &copy_out));
  in[0] = 9;  // read when the node runs
  Launch();
  const int value = static_cast<int>(0xabcd1234u);
  EXPECT_EQ(out, (std::vector<int>{9, 2, value, value, 5, 6, value, value}));
}

TEST_F(GraphTest, FillsBytesAndHalfWords) {
  const DeviceVector<unsigned> words(2);
  const cudaMemsetParams bytes{words.get(), 0, 0x5a, 1, 4, 1};
  const cudaMemsetParams halves{words.get() + 1, 0, 0x1234, 2, 2, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &bytes));
  ASSERT_OK(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &halves));
  Launch();
  EXPECT_EQ(words.ToHost(), (std::vector<unsigned>{0x5a5a5a5a, 0x12341234}));
}

TEST_F(GraphTest, CallsHostFunctionsOnceInEachLaunch) {
  int calls = 0;
  const cudaHostNodeParams parameters{Increment, &calls};
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddHostNode(&node, graph_, nullptr, 0, &parameters));
  EXPECT_EQ(calls, 0);
  Launch(3);
  EXPECT_EQ(calls, 3);
}

TEST_F(GraphTest, RunsAChildGraphAsOneNode) {
  const DeviceVector<int> value(1);
  Graph child;
  ASSERT_OK(cudaGraphCreate(&child.handle, 0));
  const cudaGraphNode_t plus = AddKernel(child, {}, AddTo, value.get(), 1);
  AddKernel(child, {plus}, Double, value.get());
  const cudaGraphNode_t set = AddKernel(graph_, {}, Set, value.get(), 4);
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddChildGraphNode(&node, graph_, &set, 1, child));
  AddKernel(child, {plus}, Set, value.get(),
            0);  // the node has a copy, without this
  AddKernel(graph_, {node}, AddTo, value.get(), 100);
  cudaGraph_t inner = nullptr;
  ASSERT_OK(cudaGraphChildGraphNodeGetGraph(node, &inner));
  size_t count = 0;
  ASSERT_OK(cudaGraphGetNodes(inner, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cudaGraphDestroy(inner), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  Launch();
  EXPECT_EQ(value.ToHost()[0], 110);
}

TEST_F(GraphTest, AnEmptyGraphDoesNothing) { Launch(2); }

TEST_F(GraphTest, RecordsEventsAndWaitsForThem) {
  const DeviceVector<int> values(2);
  const Event done;
  const Stream other;
  const cudaGraphNode_t set = AddKernel(graph_, {}, Set, values.get(), 5);
  cudaGraphNode_t record = nullptr;
  ASSERT_OK(cudaGraphAddEventRecordNode(&record, graph_, &set, 1, done));
  Graph second;
  ASSERT_OK(cudaGraphCreate(&second.handle, 0));
  cudaGraphNode_t wait = nullptr;
  ASSERT_OK(cudaGraphAddEventWaitNode(&wait, second, nullptr, 0, done));
  AddKernel<int*, const int*, const int*>(second, {wait}, Sum, values.get() + 1, values.get(),
                                          values.get());
  ASSERT_OK(cudaDeviceSynchronize());
  const Executable exec(graph_);
  const Executable second_exec(second);
  ASSERT_OK(cudaGraphLaunch(exec, stream_));
  LaunchAndWait(second_exec, other);
  EXPECT_EQ(values.ToHost()[1], 10);
  ASSERT_OK(cudaEventSynchronize(done));
}

// Of two branches the second one runs in a lane of its own.
TEST_F(GraphTest, OrdersEveryBranchWithTheStream) {
  const DeviceVector<int> values(2);
  AddKernel(graph_, {}, Double, values.get());
  AddKernel(graph_, {}, Double, values.get() + 1);
  ASSERT_OK(cudaDeviceSynchronize());
  const Executable exec(graph_);
  Set<<<1, 1, 0, stream_>>>(values.get() + 1, 3);
  ASSERT_OK(cudaGraphLaunch(exec, stream_));
  AddTo<<<1, 1, 0, stream_>>>(values.get() + 1, 1);
  ASSERT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(values.ToHost()[1], 7);
}

TEST_F(GraphTest, ALaunchFollowsTheOneBeforeAlsoInAnotherStream) {
  const DeviceVector<int> value(1);
  AddKernel(graph_, {}, AddTo, value.get(), 1);
  ASSERT_OK(cudaDeviceSynchronize());
  const Executable exec(graph_);
  const Stream other;
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(cudaGraphLaunch(exec, stream_));
    ASSERT_OK(cudaGraphLaunch(exec, other));
  }
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(value.ToHost()[0], 10);
}

TEST_F(GraphTest, TheDefaultStreamWaitsForAGraphInABlockingStream) {
  const DeviceVector<int> values(2);
  const Stream blocking(cudaStreamDefault);
  AddKernel(graph_, {}, Set, values.get(), 1);
  AddKernel(graph_, {}, Set, values.get() + 1, 2);
  const Executable exec(graph_);
  ASSERT_OK(cudaGraphLaunch(exec, blocking));
  Double<<<1, 1>>>(values.get() + 1);
  EXPECT_EQ(values.ToHost(), (std::vector<int>{1, 4}));
}

TEST_F(GraphTest, LaunchesThatWaitOutliveTheExecutableGraph) {
  const DeviceVector<int> values(2);
  AddKernel(graph_, {}, Set, values.get(), 1);
  AddKernel(graph_, {}, Set, values.get() + 1, 2);
  ASSERT_OK(cudaDeviceSynchronize());
  {
    const Executable exec(graph_);
    ASSERT_OK(cudaGraphLaunch(exec, stream_));
  }
  ASSERT_OK(cudaStreamSynchronize(stream_));
  EXPECT_EQ(values.ToHost(), (std::vector<int>{1, 2}));
}

TEST_F(GraphTest, AnExecutableGraphOutlivesItsGraph) {
  const DeviceVector<int> value(1);
  AddKernel(graph_, {}, Set, value.get(), 6);
  ASSERT_OK(cudaDeviceSynchronize());
  const Executable exec(graph_);
  ASSERT_OK(cudaGraphDestroy(graph_));
  graph_.handle = nullptr;
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(value.ToHost()[0], 6);
}

TEST_F(GraphTest, AddsNodesOfAllTypesThroughOneFunction) {
  const DeviceVector<int> value(1);
  int result = 0;
  int calls = 0;
  int* pointer = value.get();
  int number = 5;
  void* arguments[] = {&pointer, &number};
  cudaGraphNodeParams parameters = OfType(cudaGraphNodeTypeMemset);
  parameters.memset = {value.get(), 0, 0, 4, 1, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &parameters));
  parameters = OfType(cudaGraphNodeTypeKernel);
  parameters.kernel.func = reinterpret_cast<void*>(AddTo);
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(1);
  parameters.kernel.sharedMemBytes = 0;
  parameters.kernel.kernelParams = arguments;
  parameters.kernel.extra = nullptr;
  ASSERT_OK(cudaGraphAddNode(&node, graph_, &node, nullptr, 1, &parameters));
  parameters = OfType(cudaGraphNodeTypeMemcpy);
  parameters.memcpy.copyParams = {};
  parameters.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(value.get(), 4, 4, 1);
  parameters.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&result, 4, 4, 1);
  parameters.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  parameters.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  ASSERT_OK(cudaGraphAddNode(&node, graph_, &node, nullptr, 1, &parameters));
  parameters = OfType(cudaGraphNodeTypeHost);
  parameters.host = {Increment, &calls};
  ASSERT_OK(cudaGraphAddNode(&node, graph_, &node, nullptr, 1, &parameters));
  parameters = OfType(cudaGraphNodeTypeEmpty);
  ASSERT_OK(cudaGraphAddNode(&node, graph_, &node, nullptr, 1, &parameters));
  Launch();
  EXPECT_EQ(result, 5);
  EXPECT_EQ(calls, 1);
}

}  // namespace
