#include "common/cudasim/runtime/streams/critical_path.h"

#include <algorithm>

namespace cudasim {
namespace {

// Guarded by the lock of the streams, or used by the one thread that launches where streams are not
// tracked.
struct Path {
  LogicalTime call_began = 0;
  LogicalTime latest = 0;  // end of any work so far
  std::uint64_t call_work = 0;
  bool in_stream = false;  // work of a stream runs
  LogicalTime work_began = 0;
  LogicalTime work_took = 0;
};

Path path;
thread_local LogicalTime host_time = 0;

}  // namespace

LogicalTime HostTime() { return std::max(path.call_began, host_time); }

void JoinHostTime(LogicalTime time) { host_time = std::max(host_time, time); }

void BeginWork(LogicalTime begin) {
  path.in_stream = true;
  path.work_began = std::max(path.call_began, begin);
  path.work_took = 0;
}

LogicalTime EndWork() {
  path.in_stream = false;
  const LogicalTime end = path.work_began + path.work_took;
  path.latest = std::max(path.latest, end);
  return end;
}

LogicalTime WorkBegan() { return path.in_stream ? path.work_began : HostTime(); }

LogicalTime SinceCallBegan(LogicalTime time) { return time - std::min(time, path.call_began); }

void NoteLaunch(std::uint64_t work, std::uint64_t span) {
  path.call_work += work;
  if (path.in_stream) {
    path.work_took += span;
    return;
  }
  JoinHostTime(HostTime() + span);
  path.latest = std::max(path.latest, host_time);
}

void BeginCallPath() {
  path.call_began = path.latest;
  path.call_work = 0;
}

void SetCallWork(std::uint64_t work) { path.call_work = work; }

std::uint64_t CallWork() { return path.call_work; }

std::uint64_t CallSpan() { return path.latest - path.call_began; }

}  // namespace cudasim
