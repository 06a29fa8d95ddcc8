#include "common/cudasim/check/livelock.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/errors.h"
#include "common/cudasim/runtime/report.h"
#include "common/cudasim/runtime/symbolizer.h"
#include "common/cudasim/runtime/worker.h"

namespace cudasim {
namespace {

// How often each thread finds nothing new, all others having run between, before it is hopeless.
constexpr unsigned long long kRounds = 20;
constexpr unsigned long long kMinPauses = 1000;

struct Polled {
  std::string memory;
  std::set<ThreadId> threads;
};

using Places = std::map<std::pair<const void*, const void*>, Polled>;  // by code and address

Places& WaitingAt() {
  static auto* const places = new Places;
  return *places;
}

// Places in the order of the threads that wait there.
std::map<ThreadId, std::string> DescribePlaces() {
  std::map<ThreadId, std::string> places;
  for (const auto& [where, polled] : WaitingAt()) {
    const std::size_t count = polled.threads.size();
    const ThreadId first = *polled.threads.begin();
    places[first] += (count == 1 ? "1 thread polls " : std::to_string(count) + " threads poll ") +
                     polled.memory + " at " + Locate(where.first).ToString() + ": " +
                     DescribeThread(first) + (count == 1 ? "" : " and others");
  }
  return places;
}

[[noreturn]] void EndLivelock() {
  ReportUninitialisedReads();  // what they wait for may never have been written
  std::vector<std::string> details;
  for (const auto& [thread, text] : DescribePlaces()) details.push_back(text);
  details.push_back(DescribeLaunch());
  const CheckedThread& self = ThisThread();
  const ThreadId id = ThisThreadId();
  Report({"livelock",
          DescribeKernel() + ", " + Locate(self.polls.pc).ToString() +
              ": threads wait for memory that no thread changes any more",
          details,
          {{"read", Locate(self.polls.pc), DescribeIndexOf(id), DescribeBlockOf(id)}}});
  MakeSticky(cudaErrorLaunchTimeout);
  Worker::Current().Abandon();
}

}  // namespace

void ForgetIdlePauses() {
  now.idle_pauses = 0;
  WaitingAt().clear();
}

void LetOthersRun(unsigned bytes) {
  in_kernel = false;
  Polls& polls = *now.polls;
  polls.count = 0;
  if (!polls.paused) {
    polls.paused = true;
    NoteProgress();
  } else {
    ++now.idle_pauses;
    Polled& polled = WaitingAt()[{polls.pc, polls.address}];
    if (polled.memory.empty()) {
      polled.memory = DescribeMemory({static_cast<char*>(const_cast<void*>(polls.address)), bytes,
                                      Operation::kRead, true, polls.pc});
    }
    polled.threads.insert(ThisThreadId());
    if (now.idle_pauses > kMinPauses + kRounds * now.threads) EndLivelock();
  }
  cudasim_pause();
}

}  // namespace cudasim
