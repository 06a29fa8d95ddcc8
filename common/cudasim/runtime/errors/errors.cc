#include "common/cudasim/runtime/errors/errors.h"

#include <atomic>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/call_stack.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/lost_errors.h"

namespace cudasim {
namespace {

std::atomic<cudaError_t> sticky{cudaSuccess};
thread_local cudaError_t last = cudaSuccess;
thread_local bool in_callback = false;
std::atomic<DeviceErrors> device_errors{nullptr};

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define CUDASIM_ERROR(name, value, text) {name, #name, text},
constexpr ErrorText kErrors[] = {CUDASIM_ERROR_CODES(CUDASIM_ERROR)};
#undef CUDASIM_ERROR

const ErrorText* Find(cudaError_t error) {
  for (const ErrorText& entry : kErrors) {
    if (entry.error == error) return &entry;
  }
  return nullptr;
}

// The last error of the running thread of a kernel.
cudaError_t DeviceError(bool clear) {
  const DeviceErrors errors = device_errors;
  return errors == nullptr ? cudaSuccess : errors(clear);
}

}  // namespace

void SetDeviceErrors(DeviceErrors errors) { device_errors = errors; }

InCallback::InCallback() { in_callback = true; }
InCallback::~InCallback() { in_callback = false; }

// A GPU need not notice: the call may also wait for ever, for the stream that waits for the
// function.
void RefuseInHostFunction(const std::string& place) {
  if (!in_callback || !kCheckMode) return;
  Report({"call_in_host_function",
          "a host function of a stream calls the CUDA runtime at " + place,
          {"next: submit the work from the thread that launched the function, or let the function "
           "set a flag"}});
}

cudaError_t StickyError() { return in_callback ? cudaErrorNotPermitted : sticky.load(); }

void MakeSticky(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  sticky.compare_exchange_strong(none, error);
}

cudaError_t Return(cudaError_t error) {
  if (in_callback) {
    RememberCallStack();
    RefuseInHostFunction(PlaceInCallStack().ToString());
    return cudaErrorNotPermitted;
  }
  if (sticky != cudaSuccess) error = sticky;
  if (error != cudaSuccess) {
    last = error;
    NoteError(error);
  }
  return error;
}

}  // namespace cudasim

extern "C" {

cudaError_t cudaGetLastError() {
  if (cudasim::current_fiber != nullptr) return cudasim::DeviceError(true);
  const cudaError_t error = cudaPeekAtLastError();
  cudasim::last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  if (cudasim::current_fiber != nullptr) return cudasim::DeviceError(false);
  cudasim::ForgetLostError();
  const cudaError_t sticky = cudasim::StickyError();
  return sticky != cudaSuccess ? sticky : cudasim::last;
}

const char* cudaGetErrorString(cudaError_t error) {
  const auto* entry = cudasim::Find(error);
  return entry ? entry->text : "unrecognized error code";
}

const char* cudaGetErrorName(cudaError_t error) {
  const auto* entry = cudasim::Find(error);
  return entry ? entry->name : "unrecognized error code";
}

}  // extern "C"
