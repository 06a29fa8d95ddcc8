// Graphs that change after they were made: new parameters, updates, clones.
#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

class GraphUpdateTest : public GraphTest {
 protected:
  // New arguments for a node of a kernel.
  cudaKernelNodeParams Parameters(void (*kernel)(int*, int), int* to, int value) {
    pointer_ = to;
    value_ = value;
    return {reinterpret_cast<void*>(kernel), dim3(1), dim3(1), 0, arguments_, nullptr};
  }

  const DeviceVector<int> value_on_device_{1};
  int* const value = value_on_device_.get();

  int Value() const { return value_on_device_.ToHost()[0]; }

 private:
  int* pointer_ = nullptr;
  int value_ = 0;
  void* arguments_[2] = {&pointer_, &value_};
};

TEST_F(GraphUpdateTest, NewParametersCountFromTheNextLaunchOn) {
  const cudaGraphNode_t node = AddKernel(graph_, {}, AddTo, value, 1);
  const Executable exec(graph_);
  ASSERT_OK(cudaGraphLaunch(exec, stream_));
  const cudaKernelNodeParams ten = Parameters(AddTo, value, 10);
  ASSERT_OK(cudaGraphExecKernelNodeSetParams(exec, node, &ten));
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(Value(), 11);
}

TEST_F(GraphUpdateTest, ANodesParametersInItsGraphLeaveExecutableGraphsAsTheyAre) {
  const cudaGraphNode_t node = AddKernel(graph_, {}, AddTo, value, 1);
  const Executable before(graph_);
  const cudaKernelNodeParams ten = Parameters(AddTo, value, 10);
  ASSERT_OK(cudaGraphKernelNodeSetParams(node, &ten));
  const Executable after(graph_);
  ASSERT_OK(cudaGraphLaunch(before, stream_));
  LaunchAndWait(after, stream_);
  EXPECT_EQ(Value(), 11);
}

TEST_F(GraphUpdateTest, CopiesFillsAndHostFunctionsChange) {
  const DeviceVector<int> other(1);
  int calls[2] = {};
  int result = -1;
  cudaGraphNode_t copy = nullptr;
  cudaGraphNode_t fill = nullptr;
  cudaGraphNode_t function = nullptr;
  const cudaMemsetParams zero{value, 0, 0, 4, 1, 1};
  const cudaHostNodeParams first{Increment, calls};
  ASSERT_OK(cudaGraphAddMemsetNode(&fill, graph_, nullptr, 0, &zero));
  ASSERT_OK(
      cudaGraphAddMemcpyNode1D(&copy, graph_, &fill, 1, &result, value, 4, cudaMemcpyDeviceToHost));
  ASSERT_OK(cudaGraphAddHostNode(&function, graph_, &copy, 1, &first));
  ASSERT_OK(cudaDeviceSynchronize());
  const Executable exec(graph_);
  const cudaMemsetParams ones{other.get(), 0, 0x01010101, 4, 1, 1};
  const cudaHostNodeParams second{Increment, calls + 1};
  ASSERT_OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &ones));
  ASSERT_OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, &result, other.get(), 4,
                                               cudaMemcpyDeviceToHost));
  ASSERT_OK(cudaGraphExecHostNodeSetParams(exec, function, &second));
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(result, 0x01010101);
  EXPECT_EQ(calls[0], 0);
  EXPECT_EQ(calls[1], 1);
}

TEST_F(GraphUpdateTest, OnlyNodesOfTheGraphItWasMadeOfCanChange) {
  AddKernel(graph_, {}, AddTo, value, 1);
  const Executable exec(graph_);
  Graph other;
  ASSERT_OK(cudaGraphCreate(&other.handle, 0));
  const cudaGraphNode_t foreign = AddKernel(other, {}, AddTo, value, 1);
  const cudaKernelNodeParams ten = Parameters(AddTo, value, 10);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, foreign, &ten), cudaErrorInvalidValue);
  const cudaMemsetParams zero{value, 0, 0, 4, 1, 1};
  EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(exec, foreign, &zero), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(GraphUpdateTest, ADisabledNodeIsPassedOver) {
  const cudaGraphNode_t first = AddKernel(graph_, {}, AddTo, value, 1);
  AddKernel(graph_, {first}, AddTo, value, 10);
  const Executable exec(graph_);
  unsigned enabled = 0;
  ASSERT_OK(cudaGraphNodeGetEnabled(exec, first, &enabled));
  EXPECT_EQ(enabled, 1u);
  ASSERT_OK(cudaGraphNodeSetEnabled(exec, first, 0));
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(Value(), 10);
  ASSERT_OK(cudaGraphNodeSetEnabled(exec, first, 1));
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(Value(), 21);
}

TEST_F(GraphUpdateTest, TakesTheParametersOfAGraphOfTheSameShape) {
  const cudaGraphNode_t first = AddKernel(graph_, {}, Set, value, 1);
  AddKernel(graph_, {first}, AddTo, value, 2);
  const Executable exec(graph_);
  Graph other;
  ASSERT_OK(cudaGraphCreate(&other.handle, 0));
  const cudaGraphNode_t begin = AddKernel(other, {}, Set, value, 10);
  AddKernel(other, {begin}, AddTo, value, 20);
  cudaGraphExecUpdateResultInfo info{};
  info.result = cudaGraphExecUpdateError;
  ASSERT_OK(cudaGraphExecUpdate(exec, other, &info));
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(Value(), 30);
}

TEST_F(GraphUpdateTest, SaysWhyAGraphOfAnotherShapeIsNoUpdate) {
  const cudaGraphNode_t first = AddKernel(graph_, {}, Set, value, 1);
  const cudaGraphNode_t second = AddKernel(graph_, {first}, AddTo, value, 2);
  const Executable exec(graph_);
  cudaGraphExecUpdateResultInfo info{};

  AddKernel(graph_, {second}, AddTo, value, 4);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph_, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged) << "one node more";
  EXPECT_EQ(info.errorNode, nullptr);

  Graph loose;
  ASSERT_OK(cudaGraphCreate(&loose.handle, 0));
  AddKernel(loose, {}, Set, value, 1);
  AddKernel(loose, {}, AddTo, value, 2);
  EXPECT_EQ(cudaGraphExecUpdate(exec, loose, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged) << "an edge less";
  EXPECT_NE(info.errorNode, nullptr);

  Graph empty;
  ASSERT_OK(cudaGraphCreate(&empty.handle, 0));
  const cudaGraphNode_t begin = AddKernel(empty, {}, Set, value, 1);
  cudaGraphNode_t nothing = nullptr;
  ASSERT_OK(cudaGraphAddEmptyNode(&nothing, empty, &begin, 1));
  EXPECT_EQ(cudaGraphExecUpdate(exec, empty, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(info.errorNode, nothing);

  EXPECT_EQ(cudaGetLastError(), cudaErrorGraphExecUpdateFailure);
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(Value(), 3) << "as it was";
}

TEST_F(GraphUpdateTest, AChildGraphTakesOtherParameters) {
  Graph child;
  ASSERT_OK(cudaGraphCreate(&child.handle, 0));
  AddKernel(child, {}, AddTo, value, 1);
  cudaGraphNode_t node = nullptr;
  ASSERT_OK(cudaGraphAddChildGraphNode(&node, graph_, nullptr, 0, child));
  const Executable exec(graph_);
  Graph other;
  ASSERT_OK(cudaGraphCreate(&other.handle, 0));
  AddKernel(other, {}, AddTo, value, 50);
  ASSERT_OK(cudaGraphExecChildGraphNodeSetParams(exec, node, other));
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(Value(), 50);
}

TEST_F(GraphUpdateTest, ACloneHasNodesOfItsOwn) {
  const cudaGraphNode_t node = AddKernel(graph_, {}, AddTo, value, 1);
  Graph clone;
  ASSERT_OK(cudaGraphClone(&clone.handle, graph_));
  cudaGraphNode_t copy = nullptr;
  ASSERT_OK(cudaGraphNodeFindInClone(&copy, node, clone));
  EXPECT_NE(copy, node);
  const cudaKernelNodeParams ten = Parameters(AddTo, value, 10);
  ASSERT_OK(cudaGraphKernelNodeSetParams(copy, &ten));
  const Executable original(graph_);
  const Executable cloned(clone);
  ASSERT_OK(cudaGraphLaunch(original, stream_));
  LaunchAndWait(cloned, stream_);
  EXPECT_EQ(Value(), 11);
}

}  // namespace
