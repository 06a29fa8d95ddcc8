#include "common/timing/load_watch.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <vector>

#include "common/timing/step_back.h"

namespace lab {
namespace {

constexpr std::chrono::microseconds kBetweenLooks{100};

// Raises the calling thread's priority, so that its looks are on time on a busy machine. Has no
// effect without the permission.
void RunBeforeOthers() {
  sched_param priority{};
  priority.sched_priority = 1;
  sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
}

std::vector<int> AllowedCores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof(allowed), &allowed);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  return cores;
}

// Moves the calling thread over the cores that it may use, in turn. Each wake-up costs the thread
// that runs on its core some 30 us in a virtual machine; always on the same core, it would slow
// only a part of a team, or a single thread in some calls and not in others.
class CoreRotation {
 public:
  // After each look.
  void Step() {
    if (cores_.size() < 2 || ++looks_ % kLooksOnOneCore != 0) return;
    cpu_set_t next;
    CPU_ZERO(&next);
    CPU_SET(cores_[looks_ / kLooksOnOneCore % cores_.size()], &next);
    sched_setaffinity(0, sizeof(next), &next);
  }

 private:
  static constexpr std::size_t kLooksOnOneCore = 5;

  const std::vector<int> cores_ = AllowedCores();
  std::size_t looks_ = 0;
};

std::int64_t OwnNanoseconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

}  // namespace

LoadWatch::LoadWatch(pid_t process, int team)
    : process_(process), table_(process), ledger_(team), is_own_(process == getpid()) {
  std::latch started(1);
  watcher_ = std::jthread([this, &started](const std::stop_token& stop) {
    RunBeforeOthers();
    const std::int64_t process_ns = OthersNanoseconds();
    ledger_.Start(process_ns, OtherThreads());
    started.count_down();
    Watch(stop);
  });
  started.wait();
  stopwatch_ = Stopwatch();
}

Load LoadWatch::Stop(std::optional<double> wall_seconds) {
  const double seconds = wall_seconds.value_or(stopwatch_.Seconds());
  watcher_.request_stop();
  watcher_.join();
  return ledger_.Finish(seconds);
}

void LoadWatch::Watch(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  StepBack step_back(process_);
  CoreRotation rotation;
  const Stopwatch since_start;
  while (!stop.stop_requested()) {
    stopped.wait_for(lock, stop, kBetweenLooks, [] { return false; });
    const std::int64_t process_ns = OthersNanoseconds();
    const std::vector<ThreadTimes> threads = OtherThreads();
    ledger_.Look(process_ns, threads, static_cast<std::int64_t>(since_start.Seconds() * 1e9));
    step_back.Look(threads);
    rotation.Step();
  }
}

std::vector<ThreadTimes> LoadWatch::OtherThreads() {
  std::vector<ThreadTimes> threads = table_.Read();
  if (is_own_) {
    const auto self = static_cast<pid_t>(syscall(SYS_gettid));
    std::erase_if(threads, [self](const ThreadTimes& times) { return times.thread == self; });
  }
  return threads;
}

std::int64_t LoadWatch::OthersNanoseconds() const {
  return table_.RunNanoseconds() - (is_own_ ? OwnNanoseconds() : 0);
}

}  // namespace lab
