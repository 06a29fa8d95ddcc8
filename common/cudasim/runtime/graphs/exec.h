// Executable graphs.  A launch lays the nodes out in lanes, which are streams: the first lane is
// the stream in which the graph is launched, a branch has a lane of its own.  So the order of
// streams, with its checks and its timeline, is that of nodes, too.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "common/cudasim/runtime/graphs/graph.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

// A node in the order of a launch.  Nodes of child graphs stand among the others.
struct PlannedNode {
  CUgraphNode_st* node;
  std::vector<std::size_t> after;  // earlier nodes that must be over
  std::size_t lane = 0;
  bool ends_lane = false;  // another lane waits for it
};

struct Plan {
  std::vector<PlannedNode> nodes;
  std::size_t lanes = 1;
  std::vector<std::size_t> exits;  // nodes on which no other depends
};

}  // namespace cudasim

struct CUgraphExec_st {
  CUgraphExec_st(std::unique_ptr<CUgraph_st> its_graph, cudasim::Plan its_plan);
  ~CUgraphExec_st();

  std::unique_ptr<CUgraph_st> graph;  // a copy, whose nodes' parameters may be changed
  cudasim::Plan plan;
  unsigned long long flags = 0;
  std::vector<CUstream_st*> lanes;                // but the first; made at the first launch
  std::shared_ptr<cudasim::EventPoint> last_end;  // of the latest launch
};

namespace cudasim {

bool IsExecutableGraph(cudaGraphExec_t exec);  // thread-safe
std::size_t LiveExecutableGraphs();

// Null if the dependences form a cycle.
std::unique_ptr<CUgraphExec_st> Instantiate(const CUgraph_st& graph);

// Runs the nodes after all work in the stream and after earlier launches of the same executable
// graph.  Returns cudaErrorInvalidValue if the event of a node no longer exists.  Takes time
// O(n + d) for n nodes and d dependences, times the number of lanes where work is checked.
cudaError_t Launch(CUgraphExec_st& exec, CUstream_st* stream, const void* caller);

// Gives the executable graph the parameters of another graph, whose nodes were created in the same
// order and have the same types and dependences; else it stays as it is.
cudaGraphExecUpdateResultInfo Update(CUgraph_st& of_exec, const CUgraph_st& graph);

}  // namespace cudasim
