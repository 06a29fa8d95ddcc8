// The API of events: an event keeps the point of a stream at which it was last recorded.
#include <mutex>
#include <set>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/include/cudasim/fail_call.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/streams/stream.h"

struct CUevent_st {
  bool timed = true;
  std::shared_ptr<cudasim::EventPoint> point;  // null until recorded
};

namespace cudasim {
namespace {

struct Events {
  std::mutex mutex;
  std::set<cudaEvent_t> live;
};

Events& AllEvents() {
  static auto* const events = new Events;  // never destroyed: other threads may outlive main()
  return *events;
}

// Null if there is no such event or a sticky error is set.
CUevent_st* Use(cudaEvent_t event) {
  Events& events = AllEvents();
  const std::lock_guard lock(events.mutex);
  return StickyError() == cudaSuccess && events.live.count(event) != 0 ? event : nullptr;
}

std::size_t LiveEvents() {
  Events& events = AllEvents();
  const std::lock_guard lock(events.mutex);
  return events.live.size();
}

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
  *event = new CUevent_st;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  cudasim::Events& events = cudasim::AllEvents();
  const std::lock_guard lock(events.mutex);
  events.live.insert(*event);
  cudasim::OnMade(cudasim::HandleKind::kEvent, *event, __builtin_return_address(0));
  return Return(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  cudasim::Events& events = cudasim::AllEvents();
  const std::lock_guard lock(events.mutex);
  if (events.live.erase(event) == 0) return cudasim::ReturnBadHandle();
  cudasim::OnEnded(cudasim::HandleKind::kEvent, event);
  delete event;
  return Return(cudaSuccess);
}

cudaError_t cudasimEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  CUDASIM_MAY_FAIL_AS("cudaEventRecord");
  CUevent_st* const event = cudasim::Use(handle);
  CUstream_st* const stream = cudasim::FindStream(stream_handle);
  if (event == nullptr || stream == nullptr) return cudasim::ReturnBadHandle();
  event->point = cudasim::RecordPoint(stream, __builtin_return_address(0));
  return Return(cudaSuccess);
}

// An event that was never recorded counts as completed.
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  CUDASIM_MAY_FAIL();
  const CUevent_st* const event = cudasim::Use(handle);
  if (event == nullptr) return cudasim::ReturnBadHandle();
  cudasim::SynchronisePoint(event->point);
  return Return(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  CUDASIM_MAY_FAIL();
  const CUevent_st* const event = cudasim::Use(handle);
  if (event == nullptr) return cudasim::ReturnBadHandle();
  const bool done = cudasim::QueryPoint(event->point);
  const cudaError_t error = Return(cudaSuccess);
  return error == cudaSuccess && !done ? cudaErrorNotReady : error;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle,
                                 cudaEvent_t end_handle) {
  CUDASIM_MAY_FAIL();
  const CUevent_st* const start = cudasim::Use(start_handle);
  const CUevent_st* const end = cudasim::Use(end_handle);
  if (milliseconds == nullptr) return Return(cudaErrorInvalidValue);
  if (start == nullptr || end == nullptr) return cudasim::ReturnBadHandle();
  const bool usable = start->timed && end->timed && start->point && end->point;
  if (!usable) return cudasim::ReturnBadHandle();
  if (!start->point->done || !end->point->done) return Return(cudaErrorNotReady);
  const auto elapsed = end->point->time - start->point->time;
  *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
  return Return(cudaSuccess);
}

cudaError_t cudasimStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle) {
  CUDASIM_MAY_FAIL_AS("cudaStreamWaitEvent");
  const CUevent_st* const event = cudasim::Use(handle);
  CUstream_st* const stream = cudasim::FindStream(stream_handle);
  if (event == nullptr || stream == nullptr) return cudasim::ReturnBadHandle();
  if (event->point != nullptr && cudasim::StreamsAreTracked()) {
    const void* const caller = __builtin_return_address(0);
    cudasim::Submit(stream, {"cudaStreamWaitEvent", {}, caller}, {}, nullptr, event->point);
  }
  return Return(cudaSuccess);
}

std::uint64_t cudasimLiveObjects() {
  return cudasim::DeviceHeap::Get().Live().size() + cudasim::LiveStreams() + cudasim::LiveEvents();
}

}  // extern "C"
