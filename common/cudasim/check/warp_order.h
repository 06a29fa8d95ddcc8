// Happens-before between the lanes of a warp.
//
// Each lane has a vector clock of 32 entries: for each lane of its warp the epoch before which that
// lane's accesses happened before its own next one.  __syncwarp() begins an epoch and joins them.
// Shuffles, votes, match and reduce exchange values but do not order memory: CUDA promises that of
// __syncwarp() alone (CUDA C++ Programming Guide, "Warp Vote Functions", "Synchronization
// Functions").
#pragma once

#include "common/cudasim/check/state.h"

namespace cudasim {

// True if __syncwarp() orders the access of `thread`, of the running block, at `epoch` before the
// running thread's next access.  False across warps.
bool HappensBeforeInWarp(ThreadId thread, Epoch epoch);

// Deletes the clocks of a block that does not run.
void ForgetWarpClocks(CheckedBlock& block);

// `a` and `b` must be threads of one block.
bool SameWarp(ThreadId a, ThreadId b);

// Fills in the running lane's vector clock; leaves it as it is where the warp has not synchronised.
void CopyWarpClock(Epoch* lanes);

// Joins the running lane's warp clock, up to the epoch `until`, into `clock`, the clock of a
// release by fence and atomic operation.
void JoinWarpClock(VectorClock& clock, Epoch until);

// The same for `until`, which holds for each thread of the block the epoch up to which its accesses
// happened before.
void RaiseToWarpClock(Epoch* until);

}  // namespace cudasim
