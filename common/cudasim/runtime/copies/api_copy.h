// Copies and fills, in streams or waited for.
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

// Checks the request, then copies in the stream's order.  Pageable memory is read at once, pinned
// memory when the copy's turn comes.  Returns what the API call returns.
cudaError_t CopyInStream(const CopyRequest& request, cudaStream_t stream, HostWaits waits);

// May the range be the device side of a copy?  The host side?  Managed memory serves as both.
// `either`: the address tells.  Check mode reports why not.
bool DeviceSideOk(const ApiRange& range);
bool HostSideOk(const ApiRange& range);
bool SideOk(const ApiRange& range, bool must_be_device, bool either);

// When queued work's turn has come: is the range still allocated?  Where it has been freed since,
// that is reported and an error that sticks.
bool StillThere(const ApiRange& range);

// Runs `work`, which touches `ranges` and may be null, in the stream's order; an unknown stream is
// an error.  Returns what the API call returns.  For every API function that works in a stream.
cudaError_t RunInStream(cudaStream_t stream, const Origin& origin, std::vector<MemoryRange> ranges,
                        std::function<void()> work);

}  // namespace cudasim
