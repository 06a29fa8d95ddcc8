// The API of events: an event keeps the point of a stream at which it was last recorded.
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/include/cudasim/fail_call.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/graphs/exec.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/streams/event.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {
namespace {

cudaError_t ReturnBadHandle() { return Return(cudaErrorInvalidResourceHandle); }

}  // namespace

}  // namespace cudasim

using cudasim::Return;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  CUDASIM_MAY_FAIL(cudaErrorMemoryAllocation);
  constexpr unsigned kKnown =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (event == nullptr || (flags & ~kKnown) != 0) return Return(cudaErrorInvalidValue);
  *event = cudasim::CreateEvent((flags & cudaEventDisableTiming) == 0);
  cudasim::OnMade(cudasim::HandleKind::kEvent, *event, __builtin_return_address(0));
  return Return(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!cudasim::DestroyEvent(event)) return cudasim::ReturnBadHandle();
  cudasim::OnEnded(cudasim::HandleKind::kEvent, event);
  return Return(cudaSuccess);
}

// A graph holds the record itself only of an external one.
cudaError_t cudasimEventRecord(cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags) {
  CUDASIM_MAY_FAIL_AS("cudaEventRecord");
  CUevent_st* const event = cudasim::FindEvent(handle);
  CUstream_st* const stream = cudasim::FindStream(stream_handle);
  if (event == nullptr || stream == nullptr) return cudasim::ReturnBadHandle();
  if (flags > cudaEventRecordExternal) return Return(cudaErrorInvalidValue);
  if (const cudaError_t error = cudasim::RefuseWork(stream)) return Return(error);
  const cudasim::Origin origin{"cudaEventRecord", {}, __builtin_return_address(0)};
  if (!cudasim::IsCapturing(stream)) {
    event->is_captured = false;
    event->point = cudasim::RecordPoint(stream, origin);
  } else if (flags == cudaEventRecordExternal) {
    cudasim::CaptureNode(stream, cudaGraphNodeTypeEventRecord, {origin})->event = event;
  } else {
    cudasim::CaptureRecord(stream, event);
  }
  return Return(cudaSuccess);
}

// An event that was never recorded counts as completed.
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  CUDASIM_MAY_FAIL();
  const CUevent_st* const event = cudasim::FindEvent(handle);
  if (event == nullptr) return cudasim::ReturnBadHandle();
  if (const cudaError_t error = cudasim::RefuseEventWait(*event)) return Return(error);
  cudasim::SynchronisePoint(event->point);
  return Return(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  CUDASIM_MAY_FAIL();
  const CUevent_st* const event = cudasim::FindEvent(handle);
  if (event == nullptr) return cudasim::ReturnBadHandle();
  if (const cudaError_t refused = cudasim::RefuseEventWait(*event)) return Return(refused);
  const bool done = cudasim::QueryPoint(event->point);
  const cudaError_t error = Return(cudaSuccess);
  return error == cudaSuccess && !done ? cudaErrorNotReady : error;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle,
                                 cudaEvent_t end_handle) {
  CUDASIM_MAY_FAIL();
  const CUevent_st* const start = cudasim::FindEvent(start_handle);
  const CUevent_st* const end = cudasim::FindEvent(end_handle);
  if (milliseconds == nullptr) return Return(cudaErrorInvalidValue);
  if (start == nullptr || end == nullptr) return cudasim::ReturnBadHandle();
  if (start->is_captured || end->is_captured) return Return(cudaErrorCapturedEvent);
  const bool usable = start->timed && end->timed && start->point && end->point;
  if (!usable) return cudasim::ReturnBadHandle();
  if (!start->point->done || !end->point->done) return Return(cudaErrorNotReady);
  const auto elapsed = end->point->time - start->point->time;
  *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
  return Return(cudaSuccess);
}

cudaError_t cudasimStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle, unsigned flags) {
  CUDASIM_MAY_FAIL_AS("cudaStreamWaitEvent");
  CUevent_st* const event = cudasim::FindEvent(handle);
  CUstream_st* const stream = cudasim::FindStream(stream_handle);
  if (event == nullptr || stream == nullptr) return cudasim::ReturnBadHandle();
  if (flags > cudaEventWaitExternal) return Return(cudaErrorInvalidValue);
  if (const cudaError_t error = cudasim::RefuseWork(stream)) return Return(error);
  const cudasim::Origin origin{"cudaStreamWaitEvent", {}, __builtin_return_address(0)};
  const bool captures = cudasim::IsCapturing(stream);
  if (captures && flags == cudaEventWaitExternal) {
    cudasim::CaptureNode(stream, cudaGraphNodeTypeWaitEvent, {origin})->event = event;
  } else if (captures || event->is_captured) {
    return Return(cudasim::CaptureWait(stream, *event));
  } else if (event->point != nullptr && cudasim::StreamsAreTracked()) {
    cudasim::Submit(stream, origin, {}, nullptr, event->point);
  }
  return Return(cudaSuccess);
}

std::uint64_t simulatorLiveObjects() {
  return cudasim::DeviceHeap::Get().Live().size() + cudasim::LiveStreams() + cudasim::LiveEvents() +
         cudasim::LiveGraphs() + cudasim::LiveExecutableGraphs();
}

}  // extern "C"
