// The API of graphs: their nodes and edges as a whole.
#include <algorithm>

#include "common/cudasim/runtime/api/graph_arguments.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/graph.h"

namespace cudasim {
namespace {

cudaError_t TellNodes(const Nodes& nodes, cudaGraphNode_t* to, std::size_t* count) {
  if (count == nullptr) return Return(cudaErrorInvalidValue);
  for (std::size_t i = 0; to != nullptr && i < *count; ++i) {
    to[i] = i < nodes.size() ? nodes[i] : nullptr;
  }
  *count = to == nullptr ? nodes.size() : std::min(*count, nodes.size());
  return Return(cudaSuccess);
}

// The graph's nodes for which `wanted` is true.
template <class Wanted>
Nodes Select(const CUgraph_st& graph, const Wanted& wanted) {
  Nodes selected;
  for (const auto& node : graph.nodes) {
    if (wanted(*node)) selected.push_back(node.get());
  }
  return selected;
}

bool DependsOn(const CUgraphNode_st& node, cudaGraphNode_t other) {
  return std::find(node.dependencies.begin(), node.dependencies.end(), other) !=
         node.dependencies.end();
}

// The error of a list of edges in the graph; `exist`: whether they must be there or must not.
cudaError_t FindEdgeFault(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                          const cudaGraphEdgeData* data, std::size_t count, bool exist) {
  if (!IsGraph(graph)) return cudaErrorInvalidValue;
  if (count > 0 && (from == nullptr || to == nullptr)) return cudaErrorInvalidValue;
  if (HasEdgeData(data, count)) return cudaErrorNotSupported;
  for (std::size_t i = 0; i < count; ++i) {
    const bool both = AreNodesOf(*graph, {from + i, 1}) && AreNodesOf(*graph, {to + i, 1});
    if (!both || from[i] == to[i] || DependsOn(*to[i], from[i]) != exist) {
      return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace cudasim

using cudasim::IsGraph;
using cudasim::IsNode;
using cudasim::Return;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  CUDASIM_MAY_FAIL(cudaErrorMemoryAllocation);
  if (graph == nullptr || flags != 0) return Return(cudaErrorInvalidValue);
  *graph = cudasim::HandOver(std::make_unique<CUgraph_st>(), CUDASIM_CALLER);
  return Return(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!IsGraph(graph) || !graph->is_programs) return Return(cudaErrorInvalidValue);
  cudasim::DestroyGraph(graph);
  return Return(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  CUDASIM_MAY_FAIL(cudaErrorMemoryAllocation);
  if (clone == nullptr || !IsGraph(original)) return Return(cudaErrorInvalidValue);
  *clone = cudasim::HandOver(cudasim::CloneGraph(*original), CUDASIM_CALLER);
  return Return(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  CUDASIM_MAY_FAIL();
  if (!IsGraph(graph)) return Return(cudaErrorInvalidValue);
  const auto all = cudasim::Select(*graph, [](const CUgraphNode_st&) { return true; });
  return cudasim::TellNodes(all, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  CUDASIM_MAY_FAIL();
  if (!IsGraph(graph)) return Return(cudaErrorInvalidValue);
  const auto roots =
      cudasim::Select(*graph, [](const CUgraphNode_st& node) { return node.dependencies.empty(); });
  return cudasim::TellNodes(roots, nodes, count);
}

cudaError_t cudasimGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, size_t* count) {
  CUDASIM_MAY_FAIL_AS("cudaGraphGetEdges");
  if (!IsGraph(graph) || count == nullptr || (from == nullptr) != (to == nullptr)) {
    return Return(cudaErrorInvalidValue);
  }
  cudasim::Nodes begins;
  cudasim::Nodes ends;
  for (const auto& node : graph->nodes) {
    begins.insert(begins.end(), node->dependencies.begin(), node->dependencies.end());
    ends.insert(ends.end(), node->dependencies.size(), node.get());
  }
  if (data != nullptr) std::fill_n(data, std::min(*count, begins.size()), cudaGraphEdgeData{});
  size_t again = *count;
  cudasim::TellNodes(begins, from, &again);
  return cudasim::TellNodes(ends, to, count);
}

// An edge that is there already is an error; a cycle is one when the graph is instantiated.
cudaError_t cudasimGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
  CUDASIM_MAY_FAIL_AS("cudaGraphAddDependencies");
  const cudaError_t error = cudasim::FindEdgeFault(graph, from, to, data, count, false);
  if (error != cudaSuccess) return Return(error);
  for (size_t i = 0; i < count; ++i) to[i]->dependencies.push_back(from[i]);
  return Return(cudaSuccess);
}

cudaError_t cudasimGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                           size_t count) {
  CUDASIM_MAY_FAIL_AS("cudaGraphRemoveDependencies");
  const cudaError_t error = cudasim::FindEdgeFault(graph, from, to, data, count, true);
  if (error != cudaSuccess) return Return(error);
  for (size_t i = 0; i < count; ++i) std::erase(to[i]->dependencies, from[i]);
  return Return(cudaSuccess);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!IsNode(node)) return Return(cudaErrorInvalidValue);
  CUgraph_st& graph = *node->graph;
  for (const auto& other : graph.nodes) std::erase(other->dependencies, node);
  std::erase_if(graph.nodes, [&](const auto& other) { return other.get() == node; });
  return Return(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  CUDASIM_MAY_FAIL();
  if (!IsNode(node) || type == nullptr) return Return(cudaErrorInvalidValue);
  *type = node->type;
  return Return(cudaSuccess);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  CUDASIM_MAY_FAIL();
  if (node == nullptr || !IsNode(original) || !IsGraph(clone)) {
    return Return(cudaErrorInvalidValue);
  }
  *node = cudasim::FindCopy(*clone, *original);
  return Return(*node != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  CUDASIM_MAY_FAIL();
  if (!cudasim::IsNodeOfType(node, cudaGraphNodeTypeGraph) || graph == nullptr) {
    return Return(cudaErrorInvalidValue);
  }
  *graph = node->child.get();
  return Return(cudaSuccess);
}

cudaError_t cudasimGraphNodeGetNeighbours(cudaGraphNode_t node, cudasim::Neighbours which,
                                          cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                          size_t* count) {
  const bool dependencies = which == cudasim::Neighbours::kDependencies;
  CUDASIM_MAY_FAIL_AS(dependencies ? "cudaGraphNodeGetDependencies"
                                   : "cudaGraphNodeGetDependentNodes");
  if (!IsNode(node) || count == nullptr) return Return(cudaErrorInvalidValue);
  const cudasim::Nodes found =
      dependencies ? node->dependencies
                   : cudasim::Select(*node->graph, [&](const CUgraphNode_st& other) {
                       return cudasim::DependsOn(other, node);
                     });
  if (data != nullptr) std::fill_n(data, std::min(*count, found.size()), cudaGraphEdgeData{});
  return cudasim::TellNodes(found, nodes, count);
}

}  // extern "C"
