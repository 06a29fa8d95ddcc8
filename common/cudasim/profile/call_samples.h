// The launches and operations of the longest calls, so that pictures can show their critical path
// and their timeline.  Kept only if CUDASIM_PROFILE_SAMPLES is set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/cudasim/profile/work_span.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/streams/layout.h"

namespace cudasim {

struct LaunchSample {
  std::string kernel;
  Site launched_at;
  bool is_child = false;
  std::size_t operation = 0;  // its index in the trace; that of none if none is recorded
  std::uint64_t begins = 0;   // in logical time, see critical_path.h, since the call began
  std::uint64_t work = 0;
  std::uint64_t span = 0;
};

struct CallSample {
  std::string kernels;  // names of all, in the order of their first launches
  std::uint64_t calls = 0;
  std::vector<LaunchSample> launches;
  Trace trace;
  Layout layout;
};

// A call begins; a launch ends; the call ends.
void BeginCallSample();
void NoteLaunchSample(const Grid& grid, const WorkSpan& done);
void EndCallSample();

// Of those calls that launch the same kernels the one with the longest makespan; the whole program
// if it makes none.
std::vector<CallSample> CallSamples();
void ForgetCallSamples();

}  // namespace cudasim
