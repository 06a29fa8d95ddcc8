// Queued work that no call waits for: when the program ends, and while the host polls a flag.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

constexpr std::chrono::seconds kLook{1};
constexpr int kIdleLooks = 3;

void WarnOfUnfinishedWork(Streams& streams) {
  std::vector<std::pair<std::uint64_t, std::string>> left;
  ForEachStream(streams, [&](CUstream_st& stream) {
    if (stream.queue.empty() || stream.is_lane) return;
    const StreamOperation& last = *stream.queue.back().operation;
    left.emplace_back(last.sequence, last.origin.ToString());
  });
  std::sort(left.begin(), left.end());
  for (const auto& [sequence, what] : left) {
    Warn("never_waited", what + ": the program ended without waiting for it");
  }
}

// At exit a GPU may or may not have run work that was not waited for.  Here it runs, so that check
// mode finds its bugs.
void FinishAtExit() {
  Streams& streams = Streams::Get();
  const Lock lock(streams.mutex);
  if (streams.running != nullptr) return;  // the work itself ends the program
  WarnOfUnfinishedWork(streams);
  DrainAll(streams);
}

// The host may poll a flag until a kernel or a host function sets it.  So queued work runs once
// three looks in a row have seen no call that uses streams.
[[noreturn]] void RunWhatIsLeft(Streams& streams) {
  std::uint64_t seen = 0;
  for (int idle = 0;;) {
    std::this_thread::sleep_for(kLook);
    const Lock lock(streams.mutex);
    idle = streams.calls == seen ? idle + 1 : 0;
    if (idle >= kIdleLooks) DrainAll(streams);
    seen = streams.calls;
  }
}

}  // namespace

Streams& Streams::Get() {
  static auto* const streams = [] {
    std::atexit(FinishAtExit);
    return new Streams;
  }();
  return *streams;
}

// Without a thread (a limit on processes) everything else works as well.
void WatchTheHost() {
  static std::once_flag once;
  std::call_once(once, [] {
    try {
      std::thread([] { RunWhatIsLeft(Streams::Get()); }).detach();
    } catch (const std::system_error&) {
    }
  });
}

}  // namespace cudasim
