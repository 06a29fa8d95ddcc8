#include "common/cudasim/runtime/streams/rendezvous.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/include/cudasim/expect_callers.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

constexpr std::chrono::milliseconds kPatience{200};
constexpr int kMostInVain = 4;  // a program whose callers exclude each other loses no more time

class Meeting {
 public:
  // Never destroyed: the process may exit while another thread uses it.
  static Meeting& Get() {
    static auto& meeting = *new Meeting;
    return meeting;
  }

  void Expect(unsigned callers) {
    const std::lock_guard lock(mutex_);
    callers_ = callers;
  }

  void Leave() {
    const std::lock_guard lock(mutex_);
    if (callers_ > 0) --callers_;
    if (waiting_ >= callers_) GoOn();
  }

  void Meet() {
    std::unique_lock lock(mutex_);
    if (callers_ < 2 || in_vain_ == kMostInVain) return;
    if (++waiting_ >= callers_) return GoOn();
    const std::uint64_t meeting = meetings_;
    std::uint64_t calls = 0;
    while (!met_.wait_for(lock, kPatience, [&] { return meetings_ != meeting; })) {
      if (SomeoneIsAtWork(calls)) continue;
      ++in_vain_;
      callers_ = 0;
      GoOn();
    }
  }

 private:
  void GoOn() {
    waiting_ = 0;
    ++meetings_;
    met_.notify_all();
  }

  // Whether a thread uses the streams, or has since `calls` was set; sets it.
  static bool SomeoneIsAtWork(std::uint64_t& calls) {
    Streams& streams = Streams::Get();
    const std::unique_lock lock(streams.mutex, std::try_to_lock);
    if (!lock) return true;
    return std::exchange(calls, streams.calls) != streams.calls;
  }

  std::mutex mutex_;
  std::condition_variable met_;
  unsigned callers_ = 0;  // that are not done
  unsigned waiting_ = 0;
  std::uint64_t meetings_ = 0;
  int in_vain_ = 0;
};

}  // namespace

void MeetOtherCallers() {
  if (kCheckMode) Meeting::Get().Meet();
}

}  // namespace cudasim

extern "C" {

void simulatorExpectCallers(unsigned callers) { cudasim::Meeting::Get().Expect(callers); }

void simulatorCallerIsDone() { cudasim::Meeting::Get().Leave(); }

}  // extern "C"
