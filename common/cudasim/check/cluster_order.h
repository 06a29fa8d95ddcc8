// Happens-before by the barrier of a thread block cluster, and how long shared memory of other
// blocks lives.
//
// The barrier follows the PTX ISA, section "barrier.cluster": an arrival releases what its thread
// has done, unless it is relaxed; a wait acquires what all arrivals of the phase have released.
// __syncthreads() orders a block's own threads only.
//
// Shared memory of a block exists from its begin to its end (CUDA C++ Programming Guide, section
// "Distributed Shared Memory"): an access of another block must happen after the one and before the
// other.
#pragma once

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/state.h"

namespace cudasim {

// The cluster's blocks have begun.
void BeginCheckedCluster(Cluster& cluster);

// True if the access of a thread of another block of the cluster, or of the own one, lies before a
// phase of the barrier that the running thread has waited for.
bool HappensBeforeInCluster(unsigned block, unsigned thread, Epoch epoch);

// Joins what the barrier has ordered before the running thread's next access.
void JoinClusterClock(VectorClock& clock);

// An access of the running thread to the shared memory of another block.  Reports it if the block
// is not known to run, and remembers it until it happens before the block's end.
void NoteOutsideAccess(const Access& access, const Block& owner);

// The running thread returns: what happened before that, has happened before its block's end.
void ForgetOrderedOutsideAccesses(CheckedBlock& block);

// All threads of the block have returned.  Reports accesses of other blocks that may come later.
void ReportLateOutsideAccesses(const Block& block);

}  // namespace cudasim
