// The runtime's error state: the last error of each host thread, and the sticky error of the
// device.
#pragma once

#include <string>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// What an API call returns: a sticky error comes first; anything but success is kept for
// cudaGetLastError().
cudaError_t Return(cudaError_t error);

// cudaGetLastError() of the running thread of a kernel; `clear` is false for cudaPeekAtLastError().
using DeviceErrors = cudaError_t (*)(bool clear);
void SetDeviceErrors(DeviceErrors errors);

// A kernel fault: from now on every call fails with this error.  The first one stays.
void MakeSticky(cudaError_t error);

// The sticky error, or cudaErrorNotPermitted inside a host callback, where every call fails.
cudaError_t StickyError();

// Check mode: a finding if the calling thread runs a host callback, with the place of the call.
void RefuseInHostFunction(const std::string& place);

// While one lives, the calling thread runs a host callback.
class InCallback {
 public:
  InCallback();
  ~InCallback();
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
};

}  // namespace cudasim
