// Work and span of a launch: Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, the
// chapter on multithreaded (since the 4th edition: parallel) algorithms.
//
// An operation is a memory access or a basic block that a thread runs.  The work is the number of
// all operations; the span is the number on the longest chain of dependent operations.  Each
// operation depends on the thread's previous one, and after a barrier on all before the barrier, so
// a barrier sets the clocks of its threads to the latest one.  Waiting through memory: see waits.h.
#pragma once

#include <cstdint>

#include "common/cudasim/include/cudasim/sweep.h"
#include "common/cudasim/profile/lanes.h"

namespace cudasim {

struct WorkSpan {
  std::uint64_t work = 0;
  std::uint64_t span = 0;
  std::uint64_t busiest_thread = 0;  // the largest number of operations of one thread
};

// Work and span of the running launch; a thread is added when it returns.
extern WorkSpan launch_work_span;

void BeginWorkSpan();

// Adds a thread that has returned to the launch and to its block's next barrier.
void AddThread(const CheckedThread& thread, CheckedBlock& block);

// A thread has arrived at the block's barrier; then all live threads have.
void ArriveAtBarrier(CheckedThread& thread, CheckedBlock& block);
void LeaveBarrier(CheckedBlock& block);

// A sweep of a library's algorithm: its steps are taken for those of a balanced tree, so that it
// takes as long as its longest step times the tree's height.  A sweep within a step is part of the
// step.
void SweepTree(SweepEvent event, CheckedThread& thread);

// The lanes in `mask` synchronise, by __syncwarp() or a warp collective.  If a lane has polled in
// vain since they met last, and no lane has done more, that is no work and took no time.
void MeetInWarp(const WarpLanes& warp, std::uint32_t mask);

// A thread has arrived at its cluster's barrier; all have, and the phase is complete; a thread has
// waited for it.
void ArriveAtClusterBarrier(const CheckedThread& thread, const Cluster& cluster);
void LeaveClusterBarrier(const Cluster& cluster);
void AdvanceToClusterBarrier(CheckedThread& thread, const Cluster& cluster);

// A thread has arrived at grid.sync(); then all have, and the threads of the block leave.
void ArriveAtGridBarrier(const CheckedThread& thread);
void LeaveGridBarrier(const Block& block);

}  // namespace cudasim
