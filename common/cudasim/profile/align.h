// Aligns the events of single lanes to instructions of their warp.
#pragma once

#include "common/cudasim/profile/lanes.h"

namespace cudasim {

// Takes the events of one instruction at a time from the lanes' buffers and passes them to
// OnInstruction().  Stops at the last event of a lane whose buffer is full, because that lane's
// next event is not known yet.  Moves the remaining events to the front of the buffers.
void AlignLanes(WarpLanes& warp);

// Counts one instruction that the lanes in the mask `lanes` executed; events[i] is lane i's event.
void OnInstruction(WarpLanes& warp, std::uint32_t lanes,
                   const std::array<const Event*, kWarpLanes>& events);

}  // namespace cudasim
