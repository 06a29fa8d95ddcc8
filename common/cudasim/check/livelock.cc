#include "common/cudasim/check/livelock.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/schedule.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

// Polls without progress, for each thread of the running blocks, before the launch is a livelock.
// All other threads run between two polls of a thread.
constexpr unsigned long long kPollsPerThread = 20;
// The least number of them over all threads: a loop that makes progress may also read a volatile
// variable often.
constexpr unsigned long long kMinPauses = 100'000;
constexpr unsigned long long kMinPausesOfPlainReads = 200'000;
// Turns that a polling thread leaves to others at most before it polls again, if what it polls does
// not change: it may also count its polls.
constexpr unsigned kMaxTurns = 64;

// Threads that poll the same memory at the same place.
struct Polled {
  const void* pc = nullptr;
  std::string memory;
  std::set<ThreadId> threads;

  ThreadId first() const { return *threads.begin(); }
};

using Places = std::map<std::pair<const void*, const void*>, Polled>;  // by code and address

Places& WaitingAt() {
  static auto* const places = new Places;
  return *places;
}

void RememberPlace(const Access& poll) {
  Polled& polled = WaitingAt()[{poll.pc, poll.address}];
  polled.threads.insert(ThisThreadId());
  if (!polled.memory.empty()) return;
  polled.pc = poll.pc;
  polled.memory = DescribeMemory({poll.address, poll.bytes, Operation::kRead, true, poll.pc});
}

// Sorted by the first thread that waits there.
std::vector<Polled> SortedPlaces() {
  std::vector<Polled> places;
  for (const auto& [where, polled] : WaitingAt()) places.push_back(polled);
  std::stable_sort(places.begin(), places.end(),
                   [](const Polled& a, const Polled& b) { return a.first() < b.first(); });
  return places;
}

std::string Describe(const Polled& polled) {
  const std::size_t count = polled.threads.size();
  return (count == 1 ? "1 thread polls " : std::to_string(count) + " threads poll ") +
         polled.memory + " at " + Locate(polled.pc).ToString() + ": " +
         DescribeThread(polled.first()) + (count == 1 ? "" : " and others");
}

[[noreturn]] void EndLivelock() {
  ReportUninitialisedReads();  // the memory that they poll may be uninitialised
  const std::vector<Polled> places = SortedPlaces();
  std::vector<std::string> details;
  for (const Polled& polled : places) details.push_back(Describe(polled));
  details.push_back(DescribeLaunch());
  const Place place = Locate(places.front().pc);
  const ThreadId thread = places.front().first();
  Report({"livelock",
          DescribeKernel() + ", " + place.ToString() +
              ": threads wait for memory that no thread changes any more",
          details,
          {{"read", place, DescribeIndexOf(thread), DescribeBlockOf(thread)}}});
  MakeSticky(cudaErrorLaunchTimeout);
  Worker::Current().Abandon();
}

bool IsLivelock() {
  const unsigned long long least = running.watch_reads ? kMinPausesOfPlainReads : kMinPauses;
  return running.idle_pauses > least + kPollsPerThread * running.threads;
}

}  // namespace

void ForgetIdlePauses() {
  running.idle_pauses = 0;
  WaitingAt().clear();
}

void LetOthersRun(Polls& polls, const Access& poll) {
  in_kernel = false;
  if (polls.turns == 0) {
    NoteProgress();
  } else {
    ++running.idle_pauses;
    RememberPlace(poll);
    if (IsLivelock()) EndLivelock();
  }
  polls.gives_way_soon = true;
  ++schedule.pauses;
  polls.turns = std::min(2 * polls.turns + 1, kMaxTurns);
  for (unsigned turn = 0; turn < polls.turns; ++turn) {
    cudasim_pause();
    if (polls.Changed()) break;
  }
}

// Runs in a signal handler.  Disables the fast path, so that plain reads are seen as polls.
void OnNoProgress() {
  running.watch_reads = true;
  running.heap_begin = running.watched_heap_begin = kNowhere;
  running.arena_begin = kNowhere;
}

void WatchPlainAccess(const Access& access) {
  if (access.synchronises) return;
  if (access.address >= current_fiber->stack_low && access.address < current_fiber->stack_high) {
    return;
  }
  if (access.writes()) {
    running.polls->Forget();
  } else {
    NotePoll(*running.polls, access);
  }
}

}  // namespace cudasim
