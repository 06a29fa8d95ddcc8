// The API of streams, and host functions in them.
#include <algorithm>
#include <cstdio>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/api/node_work.h"
#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/dynamic/children.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/streams/stream.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

constexpr int kGreatestPriority = -5;  // as on an H100; 0 is the least

// Null if there is no such stream or a sticky error is set.
CUstream_st* Use(cudaStream_t handle) {
  if (handle == cudaStreamPerThread) {
    std::fputs(
        "error: the per-thread default stream is not simulated: cudaStreamPerThread\n"
        "  next: use a stream from cudaStreamCreate\n",
        stderr);
  }
  return StickyError() == cudaSuccess ? FindStream(handle) : nullptr;
}

cudaError_t Create(const char* call, cudaStream_t* stream, unsigned flags, int priority,
                   const void* caller) {
  CUDASIM_MAY_FAIL_AS(call, cudaErrorMemoryAllocation);
  if (stream == nullptr || flags > cudaStreamNonBlocking) return Return(cudaErrorInvalidValue);
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  *stream = CreateStream(flags, std::clamp(priority, kGreatestPriority, 0));
  OnMade(HandleKind::kStream, *stream, caller);
  return Return(cudaSuccess);
}

cudaError_t ReturnNoStream() { return Return(cudaErrorInvalidResourceHandle); }

}  // namespace

NodeWork HostFunctionWork(const char* call, cudaHostFn_t function, void* data, const void* caller) {
  return {{call, {}, caller}, {}, [function, data] {
            const InCallback in_callback;
            function(data);
            ChargeHostFunction();
            TellHost();
          }};
}

}  // namespace cudasim

using cudasim::Return;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudasim::Create(__func__, stream, 0, 0, CUDASIM_CALLER);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (cudasim::current_fiber != nullptr) {
    return cudasim::CreateDeviceStream(stream, flags, CUDASIM_CALLER);
  }
  return cudasim::Create(__func__, stream, flags, 0, CUDASIM_CALLER);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return cudasim::Create(__func__, stream, flags, priority, CUDASIM_CALLER);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  CUDASIM_MAY_FAIL();
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = cudasim::kGreatestPriority;
  return Return(cudaSuccess);
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  CUDASIM_MAY_FAIL();
  const CUstream_st* const stream = cudasim::Use(handle);
  if (stream == nullptr) return cudasim::ReturnNoStream();
  if (flags == nullptr) return Return(cudaErrorInvalidValue);
  *flags = stream->flags;
  return Return(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  CUDASIM_MAY_FAIL();
  const CUstream_st* const stream = cudasim::Use(handle);
  if (stream == nullptr) return cudasim::ReturnNoStream();
  if (priority == nullptr) return Return(cudaErrorInvalidValue);
  *priority = stream->priority;
  return Return(cudaSuccess);
}

// The priority is fixed when the stream is made; hints for the L2 cache have no effect.
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  CUDASIM_MAY_FAIL();
  if (cudasim::Use(handle) == nullptr) return cudasim::ReturnNoStream();
  if (attribute != cudaStreamAttributeAccessPolicyWindow) return Return(cudaErrorNotSupported);
  if (value == nullptr) return Return(cudaErrorInvalidValue);
  const cudaAccessPolicyWindow& window = value->accessPolicyWindow;
  const bool valid = window.hitRatio >= 0 && window.hitRatio <= 1 &&
                     window.missProp != cudaAccessPropertyPersisting;
  return Return(valid ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (cudasim::current_fiber != nullptr) return cudasim::DestroyDeviceStream(handle);
  CUstream_st* const stream = cudasim::Use(handle);
  if (stream == nullptr || stream != handle) return cudasim::ReturnNoStream();
  cudasim::LeaveCapture(stream);
  cudasim::OnEnded(cudasim::HandleKind::kStream, stream);
  cudasim::DestroyStream(stream);
  return Return(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  CUDASIM_MAY_FAIL();
  CUstream_st* const stream = cudasim::Use(handle);
  if (stream == nullptr) return cudasim::ReturnNoStream();
  if (const cudaError_t error = cudasim::RefuseStreamWait(stream)) return Return(error);
  cudasim::SynchroniseStream(stream);
  return Return(cudaSuccess);
}

// "Not ready" is an answer, not an error to remember.
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  CUDASIM_MAY_FAIL();
  CUstream_st* const stream = cudasim::Use(handle);
  if (stream == nullptr) return cudasim::ReturnNoStream();
  if (const cudaError_t refused = cudasim::RefuseStreamWait(stream)) return Return(refused);
  const bool done = cudasim::QueryStream(stream);
  const cudaError_t error = Return(cudaSuccess);
  return error == cudaSuccess && !done ? cudaErrorNotReady : error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  CUDASIM_MAY_FAIL();
  if (function == nullptr) return Return(cudaErrorInvalidValue);
  return cudasim::RunInStream(
      stream, cudasim::HostFunctionWork("cudaLaunchHostFunc", function, data, CUDASIM_CALLER),
      cudaGraphNodeTypeHost);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  CUDASIM_MAY_FAIL();
  if (callback == nullptr || flags != 0) return Return(cudaErrorInvalidValue);
  const auto run = [stream, callback, data] {
    const cudasim::InCallback in_callback;
    callback(stream, cudaSuccess, data);
    cudasim::ChargeHostFunction();
    cudasim::TellHost();
  };
  return cudasim::RunInStream(stream, {{"cudaStreamAddCallback", {}, CUDASIM_CALLER}, {}, run},
                              std::nullopt);
}

}  // extern "C"
