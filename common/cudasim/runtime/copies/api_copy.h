// Copies and fills in the order of their streams.
#pragma once

#include <optional>

#include "common/cudasim/runtime/graphs/graph.h"
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

// The work of a graph's node that copies.  Memory of any kind is read when the node runs.  Returns
// the error of the request.
cudaError_t PrepareCopy(const CopyRequest& request, NodeWork* work);

constexpr bool IsDirection(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

// True if the range can be the device's or the host's side of a copy; managed memory can be both.
// `either`: the address decides which.  Where it cannot, check mode reports why.
bool DeviceSideOk(const ApiRange& range);
bool HostSideOk(const ApiRange& range);
bool SideOk(const ApiRange& range, bool must_be_device, bool either);

// Called when queued work runs: true if the range is still allocated.  A freed range is reported
// and sets a sticky error.
bool StillThere(const ApiRange& range);

// Runs the work in the stream's order, or makes it a node of the type where the stream is
// capturing; without a type that is an error, and so is an unknown stream.  Returns what the API
// call returns. For every API function that works in a stream.
cudaError_t RunInStream(cudaStream_t stream, NodeWork work, std::optional<cudaGraphNodeType> type);

// The error with which a call must fail that works in the legacy stream and waits for it, because
// of a capture.
cudaError_t RefuseSynchronousCall();

}  // namespace cudasim
