// The work of nodes, by their parameters.  `call` is the API function that is reported, `caller`
// its return address.  Prepare… return the error of the parameters, which may be null.
#pragma once

#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/graphs/graph.h"

namespace cudasim {

// A host function, which must not call the API.
NodeWork HostFunctionWork(const char* call, cudaHostFn_t function, void* data, const void* caller);

cudaError_t PrepareHost(const char* call, const cudaHostNodeParams* parameters, const void* caller,
                        NodeWork* work);

// A copy between any two of arrays and pitched memory.
cudaError_t PrepareCopy3D(const char* call, const cudaMemcpy3DParms* parameters, const void* caller,
                          NodeWork* work);

cudaError_t PrepareMemset(const char* call, const cudaMemsetParams* parameters, const void* caller,
                          NodeWork* work);

// A kernel, reported at `site`.
cudaError_t PrepareKernelNode(const cudaKernelNodeParams* parameters, const NodeSite& site,
                              bool cooperative, NodeWork* work);

// A kernel, copy, fill or host function.
cudaError_t PrepareAny(const char* call, const cudaGraphNodeParams& parameters,
                       const NodeSite& site, const void* caller, NodeWork* work);

}  // namespace cudasim
