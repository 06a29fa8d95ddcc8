// The API of graphs: parameters of nodes, in their graph or in an executable graph.
#include <utility>

#include "common/cudasim/runtime/api/graph_arguments.h"
#include "common/cudasim/runtime/api/node_work.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/exec.h"
#include "common/cudasim/runtime/streams/event.h"

namespace cudasim {
namespace {

// The node to change: itself, or its copy in the executable graph.  Null if there is none of the
// type.
CUgraphNode_st* Target(const cudaGraphExec_t* exec, cudaGraphNode_t node, cudaGraphNodeType type) {
  if (!IsNodeOfType(node, type)) return nullptr;
  if (exec == nullptr) return node;
  return IsExecutableGraph(*exec) ? FindCopy(*(*exec)->graph, *node) : nullptr;
}

// A node that fails to change stays as it is.
template <class Prepare>
cudaError_t Change(const cudaGraphExec_t* exec, cudaGraphNode_t node, cudaGraphNodeType type,
                   const Prepare& prepare) {
  CUgraphNode_st* const target = Target(exec, node, type);
  if (target == nullptr) return Return(cudaErrorInvalidValue);
  NodeWork work;
  work.cooperative = target->work.cooperative;
  const cudaError_t error = prepare(&work);
  if (error == cudaSuccess) target->work = std::move(work);
  return Return(error);
}

cudaError_t ChangeEvent(const cudaGraphExec_t* exec, cudaGraphNode_t node, cudaGraphNodeType type,
                        cudaEvent_t event) {
  CUgraphNode_st* const target = Target(exec, node, type);
  if (target == nullptr || FindEvent(event) == nullptr) return Return(cudaErrorInvalidValue);
  target->event = event;
  return Return(cudaSuccess);
}

cudaError_t TellEvent(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* event) {
  if (!IsNodeOfType(node, type) || event == nullptr) return Return(cudaErrorInvalidValue);
  *event = node->event;
  return Return(cudaSuccess);
}

cudaError_t ChangeChild(const cudaGraphExec_t* exec, cudaGraphNode_t node, cudaGraph_t child) {
  CUgraphNode_st* const target = Target(exec, node, cudaGraphNodeTypeGraph);
  if (target == nullptr || !IsGraph(child)) return Return(cudaErrorInvalidValue);
  const bool updated = Update(*target->child, *child).result == cudaGraphExecUpdateSuccess;
  return Return(updated ? cudaSuccess : cudaErrorInvalidValue);
}

// Only these may be passed over.
bool CanBeDisabled(const CUgraphNode_st& node) {
  return node.type == cudaGraphNodeTypeKernel || node.type == cudaGraphNodeTypeMemcpy ||
         node.type == cudaGraphNodeTypeMemset;
}

CUgraphNode_st* FindInExecutable(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!IsExecutableGraph(exec) || !IsNode(node) || !CanBeDisabled(*node)) return nullptr;
  return FindCopy(*exec->graph, *node);
}

}  // namespace
}  // namespace cudasim

using cudasim::Change;
using cudasim::NodeWork;
using cudasim::Return;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return Change(nullptr, node, cudaGraphNodeTypeMemcpy, [=](NodeWork* work) {
    return cudasim::PrepareCopy3D("cudaGraphMemcpyNodeSetParams", parameters, caller, work);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  CUDASIM_MAY_FAIL();
  const cudasim::CopyRequest request{__func__, to, from, bytes, kind, CUDASIM_CALLER};
  return Change(nullptr, node, cudaGraphNodeTypeMemcpy,
                [=](NodeWork* work) { return cudasim::PrepareCopy(request, work); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return Change(nullptr, node, cudaGraphNodeTypeMemset, [=](NodeWork* work) {
    return cudasim::PrepareMemset("cudaGraphMemsetNodeSetParams", parameters, caller, work);
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return Change(nullptr, node, cudaGraphNodeTypeHost, [=](NodeWork* work) {
    return cudasim::PrepareHost("cudaGraphHostNodeSetParams", parameters, caller, work);
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  CUDASIM_MAY_FAIL();
  return cudasim::ChangeEvent(nullptr, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  CUDASIM_MAY_FAIL();
  return cudasim::TellEvent(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  CUDASIM_MAY_FAIL();
  return cudasim::ChangeEvent(nullptr, node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  CUDASIM_MAY_FAIL();
  return cudasim::TellEvent(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return Change(&exec, node, cudaGraphNodeTypeMemcpy, [=](NodeWork* work) {
    return cudasim::PrepareCopy3D("cudaGraphExecMemcpyNodeSetParams", parameters, caller, work);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  CUDASIM_MAY_FAIL();
  const cudasim::CopyRequest request{__func__, to, from, bytes, kind, CUDASIM_CALLER};
  return Change(&exec, node, cudaGraphNodeTypeMemcpy,
                [=](NodeWork* work) { return cudasim::PrepareCopy(request, work); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return Change(&exec, node, cudaGraphNodeTypeMemset, [=](NodeWork* work) {
    return cudasim::PrepareMemset("cudaGraphExecMemsetNodeSetParams", parameters, caller, work);
  });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  CUDASIM_MAY_FAIL();
  const void* const caller = CUDASIM_CALLER;
  return Change(&exec, node, cudaGraphNodeTypeHost, [=](NodeWork* work) {
    return cudasim::PrepareHost("cudaGraphExecHostNodeSetParams", parameters, caller, work);
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  CUDASIM_MAY_FAIL();
  return cudasim::ChangeChild(&exec, node, child);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  CUDASIM_MAY_FAIL();
  return cudasim::ChangeEvent(&exec, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  CUDASIM_MAY_FAIL();
  return cudasim::ChangeEvent(&exec, node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudasimGraphKernelNodeSetParams(const cudaGraphExec_t* exec, cudaGraphNode_t node,
                                            const cudaKernelNodeParams* parameters,
                                            const cudasim::NodeSite& site) {
  CUDASIM_MAY_FAIL_AS(exec != nullptr ? "cudaGraphExecKernelNodeSetParams"
                                      : "cudaGraphKernelNodeSetParams");
  return Change(exec, node, cudaGraphNodeTypeKernel, [&](NodeWork* work) {
    return cudasim::PrepareKernelNode(parameters, site, work->cooperative, work);
  });
}

cudaError_t cudasimGraphNodeSetParams(const cudaGraphExec_t* exec, cudaGraphNode_t node,
                                      cudaGraphNodeParams* parameters,
                                      const cudasim::NodeSite& site) {
  const char* const call =
      exec != nullptr ? "cudaGraphExecNodeSetParams" : "cudaGraphNodeSetParams";
  CUDASIM_MAY_FAIL_AS(call);
  const void* const caller = CUDASIM_CALLER;
  if (parameters == nullptr) return Return(cudaErrorInvalidValue);
  switch (parameters->type) {
    case cudaGraphNodeTypeGraph:
      return cudasim::ChangeChild(exec, node, parameters->graph.graph);
    case cudaGraphNodeTypeEventRecord:
      return cudasim::ChangeEvent(exec, node, parameters->type, parameters->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return cudasim::ChangeEvent(exec, node, parameters->type, parameters->eventWait.event);
    default:
      return Change(exec, node, parameters->type, [&](NodeWork* work) {
        return cudasim::PrepareAny(call, *parameters, site, caller, work);
      });
  }
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  CUDASIM_MAY_FAIL();
  CUgraphNode_st* const target = cudasim::FindInExecutable(exec, node);
  if (target == nullptr) return Return(cudaErrorInvalidValue);
  target->enabled = enabled != 0;
  return Return(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  CUDASIM_MAY_FAIL();
  const CUgraphNode_st* const target = cudasim::FindInExecutable(exec, node);
  if (target == nullptr || enabled == nullptr) return Return(cudaErrorInvalidValue);
  *enabled = target->enabled ? 1 : 0;
  return Return(cudaSuccess);
}

}  // extern "C"
