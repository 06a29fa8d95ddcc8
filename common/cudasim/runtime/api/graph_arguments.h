// What the API's functions about graphs have in common.
#pragma once

#include <cstddef>

#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/graphs/graph.h"

namespace cudasim {

// Edges with data are dependences on a part of a node, or of one of its kernels.
inline bool HasEdgeData(const cudaGraphEdgeData* data, std::size_t count) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0) return true;
  }
  return false;
}

// cudaErrorInvalidValue unless the graph exists and the dependencies are nodes of it.
inline cudaError_t FindGraphFault(cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  std::size_t count) {
  if (!IsGraph(graph) || (count > 0 && dependencies == nullptr)) return cudaErrorInvalidValue;
  return AreNodesOf(*graph, {dependencies, count}) ? cudaSuccess : cudaErrorInvalidValue;
}

inline bool IsNodeOfType(cudaGraphNode_t node, cudaGraphNodeType type) {
  return IsNode(node) && node->type == type;
}

}  // namespace cudasim
