// Streams and events.  Work is done when the call that asks for it returns, so streams only exist;
// events keep the time at which they were recorded.
#include <chrono>

#include "common/cudasim/runtime/errors.h"

struct CUstream_st {};

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  bool recorded = false;
  bool timed = true;
};

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  if (stream == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  *stream = new CUstream_st;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr) return cudasim::Return(cudaErrorInvalidResourceHandle);
  delete stream;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudasim::Return(cudaSuccess); }

cudaError_t cudaStreamQuery(cudaStream_t) { return cudasim::Return(cudaSuccess); }

cudaError_t cudasimStreamWaitEvent(cudaStream_t, cudaEvent_t event) {
  return cudasim::Return(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (event == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  *event = new CUevent_st;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return cudasim::Return(cudaErrorInvalidResourceHandle);
  delete event;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudasimEventRecord(cudaEvent_t event, cudaStream_t) {
  if (event == nullptr) return cudasim::Return(cudaErrorInvalidResourceHandle);
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return cudasim::Return(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  const bool usable = start != nullptr && end != nullptr && start->recorded && end->recorded &&
                      start->timed && end->timed;
  if (!usable) return cudasim::Return(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudasim::Return(cudaSuccess);
}

}  // extern "C"
