// Work and span of a launch: Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, the
// chapter on multithreaded (since the 4th edition: parallel) algorithms.
//
// An operation is a memory access or a basic block that a thread runs.  The work is how many there
// are; the span is how many lie on the longest chain of which each must wait for the one before.  A
// thread is such a chain, and where threads wait for each other all go on at the latest one's
// clock. Waiting through memory, by spinning on a flag or a lock, is not seen as such; the polls
// count.
#pragma once

#include <cstdint>

#include "common/cudasim/profile/lanes.h"

namespace cudasim {

struct WorkSpan {
  std::uint64_t work = 0;
  std::uint64_t span = 0;
  std::uint64_t busiest_thread = 0;  // the largest number of operations of one thread
};

// Of the running launch so far; a thread is added when it returns.
extern WorkSpan launch_work_span;

void BeginWorkSpan();

// A thread has returned: it holds up its block's next barrier no longer.
void AddThread(const CheckedThread& thread, CheckedBlock& block);

// A thread has come to the block's barrier; all live threads have.
void ArriveAtBarrier(CheckedThread& thread, CheckedBlock& block);
void LeaveBarrier(CheckedBlock& block);

// The lanes `mask` of the warp meet.
void MeetInWarp(const WarpLanes& warp, std::uint32_t mask);

// A thread has come to grid.sync(); all threads of the block go on from there.
void ArriveAtGridBarrier(const CheckedThread& thread);
void LeaveGridBarrier(const Block& block);

}  // namespace cudasim
