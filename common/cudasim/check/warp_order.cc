#include "common/cudasim/check/warp_order.h"

#include "common/cudasim/runtime/check_hooks.h"

namespace cudasim {

bool WarpOrders(ThreadId, Serial) { return false; }

void LearnFromWarp(Knowledge&, Serial) {}

void OnWarpArrive(Fiber&) {}

void OnWarpRelease(Block&, unsigned, unsigned, bool) {}

void OnGridSync(Block&) {}

}  // namespace cudasim
