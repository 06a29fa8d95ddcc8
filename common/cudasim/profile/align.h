// From the events of single lanes to the instructions of their warp.
#pragma once

#include "common/cudasim/profile/lanes.h"

namespace cudasim {

// Takes events off the lanes' buffers, those of one instruction at a time, and gives them to
// OnInstruction().  Stops early at the last event of a lane that is full, as that lane's next one
// is not known yet.  What is left moves to the front of the buffers.
void AlignLanes(WarpLanes& warp);

// The events of one instruction, of the lanes `lanes`; events[i] is that of lane i.
void OnInstruction(WarpLanes& warp, std::uint32_t lanes,
                   const std::array<const Event*, kWarpLanes>& events);

}  // namespace cudasim
