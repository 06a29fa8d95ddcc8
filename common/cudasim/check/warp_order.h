// Order between the lanes of a warp.
//
// Serials are the clocks: every __syncwarp() begins a new one, and each lane knows, for each lane
// of its warp, the serial before which that lane's accesses happened before its own next one.
// Shuffles, votes, match and reduce exchange values but do not order memory: CUDA promises that of
// __syncwarp() alone (CUDA C++ Programming Guide, "Warp Vote Functions", "Synchronization
// Functions").
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// True if the access of `thread`, of the running block, at `serial` happened before whatever the
// running thread does now, by __syncwarp() between lanes of one warp.  False across warps.
bool WarpOrders(ThreadId thread, Serial serial);

// Of a block that does not run.
void ForgetWarpClocks(CheckedBlock& block);

// For threads of one block.
bool SameWarp(ThreadId a, ThreadId b);

// Adds to `knowledge` what the running thread knows of the other lanes up to `until`: what it
// releases with a fence and an atomic operation.
void LearnFromWarp(Knowledge& knowledge, Serial until);

}  // namespace cudasim
