// Copies and fills in the order of their streams.
#pragma once

#include "common/cudasim/runtime/memory/misuse.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

struct CopyRequest {
  const char* call;  // "cudaMemcpyAsync"
  void* to;
  const void* from;
  std::size_t bytes;
  cudaMemcpyKind kind;
  const void* caller;  // return address
};

// Whether the host waits for a copy: always, or only where CUDA must (to pageable memory).
enum class HostWaits { kAlways, kIfPageable };

// Checks the request, then copies in the stream's order.  Pageable memory is read at the call,
// pinned memory when the copy runs.  Returns what the API call returns.
cudaError_t CopyInStream(const CopyRequest& request, cudaStream_t stream, HostWaits waits);

// True if the range can be the device's or the host's side of a copy; managed memory can be both.
// `either`: the address decides which.  Where it cannot, check mode reports why.
bool DeviceSideOk(const ApiRange& range);
bool HostSideOk(const ApiRange& range);
bool SideOk(const ApiRange& range, bool must_be_device, bool either);

// Called when queued work runs: true if the range is still allocated.  A freed range is reported
// and sets a sticky error.
bool StillThere(const ApiRange& range);

// Runs `work`, which touches `ranges` and may be null, in the stream's order; an unknown stream is
// an error.  Returns what the API call returns.  For every API function that works in a stream.
cudaError_t RunInStream(cudaStream_t stream, const Origin& origin, std::vector<MemoryRange> ranges,
                        std::function<void()> work);

}  // namespace cudasim
