// Events: each keeps the point of a stream, or of a capture, at which it was last recorded.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/streams/stream.h"

struct CUevent_st {
  bool timed = true;
  std::shared_ptr<cudasim::EventPoint> point;  // null until recorded, and while it is captured
  // If it was last recorded in a capturing stream: the capture, and the nodes that it marks.
  bool is_captured = false;
  std::weak_ptr<cudasim::Capture> capture;
  std::vector<cudaGraphNode_t> captured_after;
};

namespace cudasim {

// All functions below are thread-safe.

CUevent_st* CreateEvent(bool timed);

// False if there is no such event.
bool DestroyEvent(cudaEvent_t event);

// Null if there is no such event or a sticky error is set.
CUevent_st* FindEvent(cudaEvent_t event);

std::size_t LiveEvents();

}  // namespace cudasim
