// The critical path over the launches of a call: each launch takes its span of logical time, which
// begins when everything that CUDA orders before it is over.  Launches in one stream add up, those
// in independent streams overlap.  Copies and fills take no time.
//
// Logical time only grows.  A stream's time is when its work so far is over, a host thread's when
// the work is over that it has waited for; a launch begins at the later of the two, or later for an
// event that its stream waits for or by the legacy default stream's rule.  Synchronisation between
// host threads is not seen: each has its own time, so that the figures do not depend on how threads
// interleave.  Only profile mode measures spans; elsewhere all times are 0.
#pragma once

#include <cstdint>

namespace cudasim {

using LogicalTime = std::uint64_t;

// The time of the calling host thread.
LogicalTime HostTime();
void JoinHostTime(LogicalTime time);

// Enclose work that a stream runs; if it is a launch, it calls NoteLaunch().  EndWork() returns the
// time at which the work is over.
void BeginWork(LogicalTime begin);
LogicalTime EndWork();

// When the running work began.
LogicalTime WorkBegan();

// A time of the call, counted from its begin.
LogicalTime SinceCallBegan(LogicalTime time);

// A launch has ended.
void NoteLaunch(std::uint64_t work, std::uint64_t span);

// A call begins, after all that has run.
void BeginCallPath();

// Of the call's operations, those that count.
void SetCallWork(std::uint64_t work);

// Since BeginCallPath(): the operations of all launches, and those on the critical path.
std::uint64_t CallWork();
std::uint64_t CallSpan();

}  // namespace cudasim
