#include "common/cudasim/profile/call_samples.h"

#include <algorithm>

#include "common/cudasim/runtime/dynamic/children.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

constexpr std::size_t kMostLaunches = std::size_t{1} << 16;  // of a call

// One OS thread runs all kernels in profile mode.
struct Kept {
  std::vector<LaunchSample> launches;  // of the running call
  std::string kernels;
  std::vector<CallSample> calls;
};

// Never destroyed: the profile is written at the very end of the process.
Kept& TheKept() {
  static auto* const kept = new Kept;
  return *kept;
}

CallSample Current() {
  const Kept& kept = TheKept();
  return {kept.kernels, 1, kept.launches, RecordedTrace(), TimelineOfCall()};
}

}  // namespace

void BeginCallSample() {
  TheKept().launches.clear();
  TheKept().kernels.clear();
}

void NoteLaunchSample(const Grid& grid, const WorkSpan& done) {
  Kept& kept = TheKept();
  if (kept.launches.size() == kMostLaunches) return;
  const std::string name = grid.source.name;
  const bool is_new = std::none_of(kept.launches.begin(), kept.launches.end(),
                                   [&](const LaunchSample& l) { return l.kernel == name; });
  if (is_new) kept.kernels += (kept.kernels.empty() ? "" : ", ") + name;
  const std::uint64_t in_operation = grid.as_child == nullptr ? 0 : grid.as_child->begins;
  kept.launches.push_back({name, grid.launched_at, grid.as_child != nullptr, RunningIndex(),
                           SinceCallBegan(WorkBegan()) + in_operation, done.work, done.span});
}

void EndCallSample() {
  Kept& kept = TheKept();
  if (kept.launches.empty()) return;
  const auto found = std::find_if(kept.calls.begin(), kept.calls.end(),
                                  [&](const CallSample& c) { return c.kernels == kept.kernels; });
  if (found == kept.calls.end()) {
    kept.calls.push_back(Current());
    return;
  }
  const std::uint64_t calls = found->calls + 1;
  if (TimelineOfCall().makespan > found->layout.makespan) *found = Current();
  found->calls = calls;
}

std::vector<CallSample> CallSamples() {
  const Kept& kept = TheKept();
  if (!kept.calls.empty() || kept.launches.empty()) return kept.calls;
  return {Current()};
}

void ForgetCallSamples() { TheKept() = {}; }

}  // namespace cudasim
