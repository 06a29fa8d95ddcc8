#include "common/cudasim/runtime/api/node_work.h"

#include "common/cudasim/runtime/copies/box_copy.h"
#include "common/cudasim/runtime/diagnostics/source_files.h"
#include "common/cudasim/runtime/launch/launch.h"

namespace cudasim {

cudaError_t PrepareHost(const char* call, const cudaHostNodeParams* parameters, const void* caller,
                        NodeWork* work) {
  if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
  *work = HostFunctionWork(call, parameters->fn, parameters->userData, caller);
  return cudaSuccess;
}

// The pitch counts only where there are several rows.
cudaError_t PrepareMemset(const char* call, const cudaMemsetParams* p, const void* caller,
                          NodeWork* work) {
  if (p == nullptr) return cudaErrorInvalidValue;
  const unsigned size = p->elementSize;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  if (reinterpret_cast<std::uintptr_t>(p->dst) % size != 0) return cudaErrorInvalidValue;
  const Box box{p->width * size, p->height, 1};
  const std::size_t pitch = p->height > 1 ? p->pitch : box.width;
  const BoxSide to{static_cast<char*>(p->dst), pitch, pitch * box.height};
  return PrepareBoxFill(call, to, box, {p->value, size}, caller, work);
}

cudaError_t PrepareKernelNode(const cudaKernelNodeParams* p, const NodeSite& site, bool cooperative,
                              NodeWork* work) {
  if (p == nullptr) return cudaErrorInvalidValue;
  if (p->extra != nullptr) return cudaErrorNotSupported;
  NoteSourceFile(site.file);
  return PrepareKernel(
      p->func,
      {{site.file, site.line}, p->gridDim, p->blockDim, p->sharedMemBytes, nullptr, cooperative},
      p->kernelParams, work);
}

cudaError_t PrepareAny(const char* call, const cudaGraphNodeParams& p, const NodeSite& site,
                       const void* caller, NodeWork* work) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams kernel{p.kernel.func,         p.kernel.gridDim,
                                        p.kernel.blockDim,     p.kernel.sharedMemBytes,
                                        p.kernel.kernelParams, p.kernel.extra};
      return PrepareKernelNode(&kernel, site, work->cooperative, work);
    }
    case cudaGraphNodeTypeMemcpy:
      return PrepareCopy3D(call, &p.memcpy.copyParams, caller, work);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams fill{p.memset.dst,         p.memset.pitch, p.memset.value,
                                  p.memset.elementSize, p.memset.width, p.memset.height};
      return PrepareMemset(call, &fill, caller, work);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host{p.host.fn, p.host.userData};
      return PrepareHost(call, &host, caller, work);
    }
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace cudasim
