// Graphs of operations: nodes, and the dependences between them.
//
// Graphs are no more thread-safe than CUDA's, except for the functions that tell whether a handle
// is valid.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

// What a node does.
struct NodeWork {
  Origin origin;
  std::vector<MemoryRange> ranges;  // that it touches, if they are known
  std::function<void()> run;        // may be null; runs once in each launch
  bool cooperative = false;         // of a kernel
};

using Nodes = std::vector<cudaGraphNode_t>;

}  // namespace cudasim

struct CUgraphNode_st {
  CUgraphNode_st(cudaGraph_t its_graph, cudaGraphNodeType its_type);
  ~CUgraphNode_st();

  cudaGraph_t graph;
  cudaGraphNodeType type;
  std::uint64_t id;            // never given again
  std::uint64_t original = 0;  // the id of the node of which this one is a copy; 0: of none
  cudasim::Nodes dependencies;
  // By type:
  cudasim::NodeWork work;
  cudaEvent_t event = nullptr;
  std::unique_ptr<CUgraph_st> child;
  bool enabled = true;  // false in an executable graph: is passed over
};

struct CUgraph_st {
  CUgraph_st();
  ~CUgraph_st();

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order of their creation
  bool is_programs = false;  // the program owns it, and not a child node or a capture
};

namespace cudasim {

bool IsGraph(cudaGraph_t graph);
bool IsNode(cudaGraphNode_t node);

// The program owns the graph from now on.  `caller`: the return address of the API call.
cudaGraph_t HandOver(std::unique_ptr<CUgraph_st> graph, const void* caller);

// Ends a graph that was handed over.
void DestroyGraph(cudaGraph_t graph);

// Graphs that the program owns.
std::size_t LiveGraphs();

// True if all are nodes of the graph, and none occurs twice.
bool AreNodesOf(const CUgraph_st& graph, std::span<const cudaGraphNode_t> nodes);

// A new node.  The dependencies are nodes of the graph.
CUgraphNode_st* AddNode(CUgraph_st& graph, cudaGraphNodeType type,
                        std::span<const cudaGraphNode_t> dependencies, NodeWork work);

// A copy with copies of all nodes and child graphs.
std::unique_ptr<CUgraph_st> CloneGraph(const CUgraph_st& graph);

// The node of the graph, or of its child graphs, that is a copy of `original`; null if none is.
CUgraphNode_st* FindCopy(const CUgraph_st& graph, const CUgraphNode_st& original);

// The nodes in an order in which each follows its dependencies, else the order of creation. Without
// those that are on a cycle or behind one.  Time O(n log n + d) for n nodes and d dependences.
Nodes TopologicalOrder(const CUgraph_st& graph);

bool HasCycle(const CUgraph_st& graph);

// The nodes on which no other depends.
Nodes ExitNodes(const CUgraph_st& graph);

// True if each of `nodes` is one of `ends`, or comes before one of them.
bool AllPrecede(const Nodes& nodes, const Nodes& ends);

}  // namespace cudasim
