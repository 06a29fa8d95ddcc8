// The API of graphs: new nodes.
#include <utility>

#include "common/cudasim/runtime/api/graph_arguments.h"
#include "common/cudasim/runtime/api/node_work.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/graph.h"
#include "common/cudasim/runtime/streams/event.h"

namespace cudasim {
namespace {

// Where a new node goes.
struct NodePlace {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  std::size_t count;

  cudaError_t FindFault() const {
    if (node == nullptr) return cudaErrorInvalidValue;
    return FindGraphFault(graph, dependencies, count);
  }
};

cudaError_t Add(const NodePlace& place, cudaGraphNodeType type, NodeWork work) {
  *place.node = AddNode(*place.graph, type, {place.dependencies, place.count}, std::move(work));
  return Return(cudaSuccess);
}

// A node of which `prepare` makes the work.
template <class Prepare>
cudaError_t AddPrepared(const NodePlace& place, cudaGraphNodeType type, const Prepare& prepare) {
  NodeWork work;
  cudaError_t error = place.FindFault();
  if (error == cudaSuccess) error = prepare(&work);
  return error != cudaSuccess ? Return(error) : Add(place, type, std::move(work));
}

cudaError_t AddEventNode(const char* call, const NodePlace& place, cudaGraphNodeType type,
                         cudaEvent_t event, const void* caller) {
  if (const cudaError_t error = place.FindFault()) return Return(error);
  if (FindEvent(event) == nullptr) return Return(cudaErrorInvalidValue);
  const cudaError_t error = Add(place, type, {{call, {}, caller}});
  if (error == cudaSuccess) (*place.node)->event = event;
  return error;
}

cudaError_t AddChild(const NodePlace& place, cudaGraph_t child) {
  if (const cudaError_t error = place.FindFault()) return Return(error);
  if (!IsGraph(child)) return Return(cudaErrorInvalidValue);
  std::unique_ptr<CUgraph_st> copy = CloneGraph(*child);
  const cudaError_t error = Add(place, cudaGraphNodeTypeGraph, {});
  if (error == cudaSuccess) (*place.node)->child = std::move(copy);
  return error;
}

}  // namespace
}  // namespace cudasim

using cudasim::NodeWork;
using cudasim::Return;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return cudasim::AddPrepared(
      {node, graph, dependencies, count}, cudaGraphNodeTypeMemcpy, [=](NodeWork* work) {
        return cudasim::PrepareCopy3D("cudaGraphAddMemcpyNode", parameters, caller, work);
      });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  CUDASIM_MAY_FAIL();
  const cudasim::CopyRequest request{__func__, to, from, bytes, kind, CUDASIM_CALLER};
  return cudasim::AddPrepared({node, graph, dependencies, count}, cudaGraphNodeTypeMemcpy,
                              [=](NodeWork* work) { return cudasim::PrepareCopy(request, work); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return cudasim::AddPrepared(
      {node, graph, dependencies, count}, cudaGraphNodeTypeMemset, [=](NodeWork* work) {
        return cudasim::PrepareMemset("cudaGraphAddMemsetNode", parameters, caller, work);
      });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return cudasim::AddPrepared(
      {node, graph, dependencies, count}, cudaGraphNodeTypeHost, [=](NodeWork* work) {
        return cudasim::PrepareHost("cudaGraphAddHostNode", parameters, caller, work);
      });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  CUDASIM_MAY_FAIL();
  return cudasim::AddPrepared({node, graph, dependencies, count}, cudaGraphNodeTypeEmpty,
                              [](NodeWork*) { return cudaSuccess; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  CUDASIM_MAY_FAIL();
  return cudasim::AddChild({node, graph, dependencies, count}, child);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  CUDASIM_MAY_FAIL();
  return cudasim::AddEventNode(__func__, {node, graph, dependencies, count},
                               cudaGraphNodeTypeEventRecord, event, CUDASIM_CALLER);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  CUDASIM_MAY_FAIL();
  return cudasim::AddEventNode(__func__, {node, graph, dependencies, count},
                               cudaGraphNodeTypeWaitEvent, event, CUDASIM_CALLER);
}

cudaError_t cudasimGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      const cudaKernelNodeParams* parameters,
                                      const cudasim::NodeSite& site) {
  CUDASIM_MAY_FAIL_AS("cudaGraphAddKernelNode");
  return cudasim::AddPrepared(
      {node, graph, dependencies, count}, cudaGraphNodeTypeKernel,
      [&](NodeWork* work) { return cudasim::PrepareKernelNode(parameters, site, false, work); });
}

cudaError_t cudasimGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                size_t count, cudaGraphNodeParams* parameters,
                                const cudasim::NodeSite& site) {
  constexpr char kCall[] = "cudaGraphAddNode";
  CUDASIM_MAY_FAIL_AS(kCall);
  const void* const caller = CUDASIM_CALLER;
  const cudasim::NodePlace place{node, graph, dependencies, count};
  if (parameters == nullptr) return Return(cudaErrorInvalidValue);
  if (cudasim::HasEdgeData(data, count)) return Return(cudaErrorNotSupported);
  switch (parameters->type) {
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case cudaGraphNodeTypeGraph:
      return cudasim::AddChild(place, parameters->graph.graph);
    case cudaGraphNodeTypeEventRecord:
      return cudasim::AddEventNode(kCall, place, parameters->type, parameters->eventRecord.event,
                                   caller);
    case cudaGraphNodeTypeWaitEvent:
      return cudasim::AddEventNode(kCall, place, parameters->type, parameters->eventWait.event,
                                   caller);
    default:
      return cudasim::AddPrepared(place, parameters->type, [&](NodeWork* work) {
        return cudasim::PrepareAny(kCall, *parameters, site, caller, work);
      });
  }
}

}  // extern "C"
