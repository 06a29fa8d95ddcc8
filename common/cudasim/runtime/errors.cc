#include "common/cudasim/runtime/errors.h"

#include <atomic>

namespace cudasim {
namespace {

std::atomic<cudaError_t> sticky{cudaSuccess};
thread_local cudaError_t last = cudaSuccess;

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define CUDASIM_ERROR(name, text) \
  { name, #name, text }
constexpr ErrorText kErrors[] = {
    CUDASIM_ERROR(cudaSuccess, "no error"),
    CUDASIM_ERROR(cudaErrorInvalidValue, "invalid argument"),
    CUDASIM_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    CUDASIM_ERROR(cudaErrorInitializationError, "initialization error"),
    CUDASIM_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    CUDASIM_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    CUDASIM_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    CUDASIM_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    CUDASIM_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    CUDASIM_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    CUDASIM_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    CUDASIM_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    CUDASIM_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    CUDASIM_ERROR(cudaErrorNotReady, "device not ready"),
    CUDASIM_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    CUDASIM_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    CUDASIM_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    CUDASIM_ERROR(cudaErrorAssert, "device-side assert triggered"),
    CUDASIM_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    CUDASIM_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    CUDASIM_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    CUDASIM_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    CUDASIM_ERROR(cudaErrorNotSupported, "operation not supported"),
    CUDASIM_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef CUDASIM_ERROR

const ErrorText* Find(cudaError_t error) {
  for (const ErrorText& entry : kErrors) {
    if (entry.error == error) return &entry;
  }
  return nullptr;
}

}  // namespace

cudaError_t StickyError() { return sticky; }

void MakeSticky(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  sticky.compare_exchange_strong(none, error);
}

cudaError_t Return(cudaError_t error) {
  if (sticky != cudaSuccess) error = sticky;
  if (error != cudaSuccess) last = error;
  return error;
}

}  // namespace cudasim

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  cudasim::last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
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
