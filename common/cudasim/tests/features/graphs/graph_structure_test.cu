// The edges and nodes of graphs, and parameters that cannot be.
#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

TEST_F(GraphTest, AnEdgeMayLeadToANodeThatWasMadeEarlier) {
  const DeviceVector<int> value(1);
  const cudaGraphNode_t twice = AddKernel(graph_, {}, Double, value.get());
  const cudaGraphNode_t set = AddKernel(graph_, {}, Set, value.get(), 21);
  ASSERT_OK(cudaGraphAddDependencies(graph_, &set, &twice, nullptr, 1));
  Launch();
  EXPECT_EQ(value.ToHost()[0], 42);
}

#if CUDART_VERSION < 13000
TEST_F(GraphTest, AcceptsTheSignaturesOfCuda12) {
  const DeviceVector<int> value(1);
  cudaGraphNode_t twice = AddKernel(graph_, {}, Double, value.get());
  cudaGraphNode_t set = AddKernel(graph_, {}, Set, value.get(), 21);
  ASSERT_OK(cudaGraphAddDependencies(graph_, &twice, &set, 1));
  ASSERT_OK(cudaGraphRemoveDependencies(graph_, &twice, &set, 1));
  ASSERT_OK(cudaGraphAddDependencies(graph_, &set, &twice, 1));
  cudaGraphNode_t from = nullptr;
  cudaGraphNode_t to = nullptr;
  size_t count = 1;
  ASSERT_OK(cudaGraphGetEdges(graph_, &from, &to, &count));
  EXPECT_EQ(from, set);
  EXPECT_EQ(to, twice);
  ASSERT_OK(cudaGraphNodeGetDependencies(twice, &from, &count));
  EXPECT_EQ(from, set);
  ASSERT_OK(cudaGraphNodeGetDependentNodes(set, &to, &count));
  EXPECT_EQ(to, twice);
  cudaGraphNodeParams parameters = OfType(cudaGraphNodeTypeEmpty);
  ASSERT_OK(cudaGraphAddNode(&to, graph_, &twice, 1, &parameters));
  Launch();
  EXPECT_EQ(value.ToHost()[0], 42);
}
#endif

TEST_F(GraphTest, TellsNodesRootsEdgesAndNeighbours) {
  const DeviceVector<int> value(1);
  const cudaGraphNode_t a = AddKernel(graph_, {}, Set, value.get(), 1);
  const cudaGraphNode_t b = AddKernel(graph_, {a}, Double, value.get());
  const cudaGraphNode_t c = AddKernel(graph_, {b}, Double, value.get());
  cudaGraphNode_t nodes[4] = {a, a, a, a};
  size_t count = 4;
  ASSERT_OK(cudaGraphGetNodes(graph_, nodes, &count));
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(nodes[2], c);
  EXPECT_EQ(nodes[3], nullptr);
  count = 4;
  ASSERT_OK(cudaGraphGetRootNodes(graph_, nodes, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], a);
  cudaGraphNode_t from[2];
  cudaGraphNode_t to[2];
  count = 2;
  ASSERT_OK(cudaGraphGetEdges(graph_, from, to, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(from[1], b);
  EXPECT_EQ(to[1], c);
  count = 4;
  ASSERT_OK(cudaGraphNodeGetDependencies(b, nodes, nullptr, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], a);
  count = 0;
  ASSERT_OK(cudaGraphNodeGetDependentNodes(b, nullptr, nullptr, &count));
  EXPECT_EQ(count, 1u);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  ASSERT_OK(cudaGraphNodeGetType(a, &type));
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);
}

TEST_F(GraphTest, ForgetsADestroyedNodeAndItsEdges) {
  const DeviceVector<int> value(1);
  const cudaGraphNode_t set = AddKernel(graph_, {}, Set, value.get(), 1);
  const cudaGraphNode_t wrong = AddKernel(graph_, {set}, Set, value.get(), 9);
  const cudaGraphNode_t twice = AddKernel(graph_, {wrong}, Double, value.get());
  ASSERT_OK(cudaGraphDestroyNode(wrong));
  ASSERT_OK(cudaGraphAddDependencies(graph_, &set, &twice, nullptr, 1));
  Launch();
  EXPECT_EQ(value.ToHost()[0], 2);
}

TEST_F(GraphTest, ACycleCannotBeInstantiated) {
  const DeviceVector<int> value(1);
  const cudaGraphNode_t a = AddKernel(graph_, {}, Set, value.get(), 1);
  const cudaGraphNode_t b = AddKernel(graph_, {a}, Double, value.get());
  ASSERT_OK(cudaGraphAddDependencies(graph_, &b, &a, nullptr, 1));
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph_, 0), cudaErrorInvalidValue);
  cudaGraphInstantiateParams parameters{};
  EXPECT_EQ(cudaGraphInstantiateWithParams(&exec, graph_, &parameters), cudaErrorInvalidValue);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateInvalidStructure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(GraphTest, RefusesEdgesThatCannotBe) {
  const DeviceVector<int> value(1);
  const cudaGraphNode_t a = AddKernel(graph_, {}, Set, value.get(), 1);
  const cudaGraphNode_t b = AddKernel(graph_, {a}, Double, value.get());
  Graph other;
  ASSERT_OK(cudaGraphCreate(&other.handle, 0));
  const cudaGraphNode_t foreign = AddKernel(other, {}, Double, value.get());
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &a, &b, nullptr, 1), cudaErrorInvalidValue) << "twice";
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &a, &a, nullptr, 1), cudaErrorInvalidValue)
      << "itself";
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &a, &foreign, nullptr, 1), cudaErrorInvalidValue)
      << "foreign";
  EXPECT_EQ(cudaGraphRemoveDependencies(graph_, &b, &a, nullptr, 1), cudaErrorInvalidValue)
      << "absent";
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph_, &foreign, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(GraphTest, RefusesParametersThatCannotBe) {
  cudaGraphNode_t node = nullptr;
  const cudaKernelNodeParams no_kernel{nullptr, dim3(1), dim3(1), 0, nullptr, nullptr};
  EXPECT_EQ(cudaGraphAddKernelNode(&node, graph_, nullptr, 0, &no_kernel),
            cudaErrorInvalidDeviceFunction);
  const cudaHostNodeParams no_function{nullptr, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&node, graph_, nullptr, 0, &no_function), cudaErrorInvalidValue);
  const DeviceVector<int> value(1);
  const cudaMemsetParams odd{value.get(), 0, 0, 3, 1, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, graph_, nullptr, 0, &odd), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphCreate(nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(nullptr, stream_), cudaErrorInvalidValue);
  EXPECT_EQ(node, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
