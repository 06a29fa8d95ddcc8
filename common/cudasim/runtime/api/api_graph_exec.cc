// The API of executable graphs.

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/api/graph_arguments.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/graphs/exec.h"

namespace cudasim {
namespace {

// Launches by kernels are left out.
constexpr unsigned long long kInstantiateFlags = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                                 cudaGraphInstantiateFlagUpload |
                                                 cudaGraphInstantiateFlagUseNodePriority;

cudaError_t MakeExecutable(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags,
                           const void* caller) {
  if (exec == nullptr || !IsGraph(graph)) return Return(cudaErrorInvalidValue);
  if (flags == cudaGraphInstantiateFlagDeviceLaunch) return Return(cudaErrorNotSupported);
  if ((flags & ~kInstantiateFlags) != 0) return Return(cudaErrorInvalidValue);
  std::unique_ptr<CUgraphExec_st> made = Instantiate(*graph);
  if (made == nullptr) return Return(cudaErrorInvalidValue);
  made->flags = flags;
  OnMade(HandleKind::kExecutableGraph, made.get(), caller);
  *exec = made.release();
  return Return(cudaSuccess);
}

}  // namespace
}  // namespace cudasim

using cudasim::IsExecutableGraph;
using cudasim::Return;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  CUDASIM_MAY_FAIL_AS("cudaGraphInstantiate", cudaErrorMemoryAllocation);
  return cudasim::MakeExecutable(exec, graph, flags, CUDASIM_CALLER);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  CUDASIM_MAY_FAIL(cudaErrorMemoryAllocation);
  if (parameters == nullptr) return Return(cudaErrorInvalidValue);
  const cudaError_t error = cudasim::MakeExecutable(exec, graph, parameters->flags, CUDASIM_CALLER);
  parameters->errNode_out = nullptr;
  parameters->result_out =
      error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  if (error == cudaErrorInvalidValue && cudasim::IsGraph(graph) && cudasim::HasCycle(*graph)) {
    parameters->result_out = cudaGraphInstantiateInvalidStructure;
  }
  return error;
}

// Launches that wait in a stream still run.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (!IsExecutableGraph(exec)) return Return(cudaErrorInvalidValue);
  cudasim::OnEnded(cudasim::HandleKind::kExecutableGraph, exec);
  delete exec;
  return Return(cudaSuccess);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  CUDASIM_MAY_FAIL();
  if (!IsExecutableGraph(exec) || flags == nullptr) return Return(cudaErrorInvalidValue);
  *flags = exec->flags;
  return Return(cudaSuccess);
}

// There is nothing to prepare.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  CUDASIM_MAY_FAIL();
  const bool valid = IsExecutableGraph(exec) && cudasim::FindStream(stream) != nullptr;
  return Return(valid ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  CUDASIM_MAY_FAIL();
  if (cudasim::StickyError() != cudaSuccess) return Return(cudaSuccess);
  CUstream_st* const stream = cudasim::FindStream(handle);
  if (!IsExecutableGraph(exec)) return Return(cudaErrorInvalidValue);
  if (stream == nullptr) return Return(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = cudasim::RefuseUncapturable(stream)) return Return(error);
  return Return(cudasim::Launch(*exec, stream, CUDASIM_CALLER));
}

cudaError_t cudasimGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                   cudaGraphExecUpdateResultInfo* result) {
  CUDASIM_MAY_FAIL_AS("cudaGraphExecUpdate");
  if (result != nullptr) *result = {cudaGraphExecUpdateError, nullptr, nullptr};
  if (!IsExecutableGraph(exec) || !cudasim::IsGraph(graph)) return Return(cudaErrorInvalidValue);
  const cudaGraphExecUpdateResultInfo info = cudasim::Update(*exec->graph, *graph);
  if (result != nullptr) *result = info;
  return Return(info.result == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                          : cudaErrorGraphExecUpdateFailure);
}

}  // extern "C"
