#include "common/cudasim/runtime/scheduler/spinning.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/call_stack.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/scheduler/fault.h"
#include "common/cudasim/runtime/scheduler/worker.h"

// glibc 2.36 has no name of its own for the field.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace cudasim {
namespace {

constexpr int kSignal = SIGURG;  // ignored by default
// Intervals of the timer: at first, and once a thread was found to spin.
constexpr long kFirstIntervalMs = 20;
constexpr long kNextIntervalMs = 1;
// CPU time without progress of a thread after which it counts as stuck.
constexpr long kNoProgressMs = 2000;
constexpr long kDefaultLimitS = 60;

// Changes whenever an OS thread goes on to another CUDA thread.
struct Position {
  const Fiber* fiber = nullptr;
  unsigned long long progress = 0;
  unsigned next = 0;
  unsigned arrived = 0;

  bool operator==(const Position&) const = default;
};

struct Watch {
  timer_t timer{};
  bool has_timer = false;
  bool is_new = true;
  Position place;               // at the last signal
  unsigned long long seen = 0;  // of the whole grid
  long idle_from_ms = 0;        // CPU time at which the whole grid's progress last changed
  bool spins = false;
  long stays_from_ms = 0;  // CPU time at which the place last changed
};

thread_local Watch watch;

// One counter for each OS thread, which alone writes it: a shared one would be contended.
constexpr unsigned kMaxCounters = 256;
struct alignas(64) Counter {
  std::atomic<unsigned long long> value{0};
};
Counter counters[kMaxCounters];
std::atomic<unsigned> counters_in_use{0};

// OS threads beyond the last counter share it and may lose a few increments.
Counter& OwnCounter() {
  static thread_local Counter* const own =
      &counters[std::min(counters_in_use.fetch_add(1), kMaxCounters - 1)];
  return *own;
}

unsigned long long ProgressOfAll() {
  const unsigned used = std::min(counters_in_use.load(), kMaxCounters);
  unsigned long long sum = 0;
  for (unsigned i = 0; i < used; ++i) sum += counters[i].value.load(std::memory_order_relaxed);
  return sum;
}

long LimitMs() {
  static const long limit = TimeoutSecondsSetting().value_or(kDefaultLimitS) * 1000;
  return limit;
}

// The interrupted line; if it is unknown, the kernel's.
std::string DescribeInterrupted(const Grid& grid) {
  const Place place = PlaceInCallStack();
  return place.file.empty() ? ToString(Site{grid.source.file, grid.source.line}) : place.ToString();
}

// Runs on the worker's own stack, outside the signal handler: all of C++ may be used.
[[noreturn]] void EndEndlessLaunch() {
  in_kernel = false;
  const Grid& grid = *RunningGrid();
  Report({"endless_kernel",
          "kernel " + std::string(grid.source.name) + ", " + DescribeInterrupted(grid) +
              ": no thread of the launch has returned or reached a barrier for " +
              std::to_string(LimitMs() / 1000) + " s of CPU time",
          {DescribeCurrentThread() + " runs there",
           "CUDASIM_TIMEOUT_S sets the limit in seconds; 0 removes it"}});
  MakeSticky(cudaErrorLaunchTimeout);
  Worker::Current().Abandon();
}

long CpuTimeMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void SetTimer(long milliseconds) {
  const timespec interval{0, milliseconds * 1000000};
  const itimerspec times{interval, interval};
  timer_settime(watch.timer, 0, &times, nullptr);
}

// A spinning thread may wait for another OS thread's blocks, so their progress counts as well.
bool IsEndless(bool started_threads) {
  const unsigned long long all = ProgressOfAll();
  if (all != watch.seen || started_threads) {
    watch.seen = all;
    watch.idle_from_ms = CpuTimeMs();
  }
  return LimitMs() != 0 && CpuTimeMs() - watch.idle_from_ms > LimitMs();
}

// A thread that was at the same place one interval ago has not left the kernel's own code since:
// its block's queues are consistent, and it may be switched away from here.
void OnTick(int, siginfo_t*, void* context) {
  if (!in_kernel || current_fiber == nullptr) return;
  const int saved_errno = errno;
  const Block& block = *CurrentBlock();
  const Position place{current_fiber, OwnCounter().value, block.next, block.arrived};
  const bool stays = place == watch.place;
  const bool started_threads = place.next != watch.place.next;
  watch.place = place;
  if (IsEndless(started_threads)) {
    in_kernel = false;  // a slow machine's next tick must not come in between
    RememberCallStack();
    ContinueOnWorker(static_cast<ucontext_t*>(context), &EndEndlessLaunch);
    return;
  }
  if (!stays) watch.stays_from_ms = CpuTimeMs();
  if (CpuTimeMs() - watch.stays_from_ms > kNoProgressMs) OnNoProgress();
  if (stays && !kInstrumented) {
    if (!watch.spins) SetTimer(kNextIntervalMs);
    watch.spins = true;
    cudasim_pause();
  }
  errno = saved_errno;
}

void InstallNoProgressHandler() {
  struct sigaction action {};
  action.sa_sigaction = OnTick;
  // On the interrupted fiber's own stack, and not blocked while another fiber runs.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(kSignal, &action, nullptr);
}

bool MakeTimer() {
  static std::once_flag installed;
  std::call_once(installed, InstallNoProgressHandler);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
  return timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer) == 0;
}

}  // namespace

// Without a timer (the system limits their number) kernels still run, but a thread that spins never
// yields.
WatchForSpinning::WatchForSpinning() {
  if (watch.is_new) watch.has_timer = MakeTimer();
  watch.is_new = false;
  watch.place = {};
  watch.spins = false;
  watch.idle_from_ms = CpuTimeMs();
  if (watch.has_timer) SetTimer(kFirstIntervalMs);
}

WatchForSpinning::~WatchForSpinning() {
  if (watch.has_timer) SetTimer(0);
}

void CountProgress() {
  std::atomic<unsigned long long>& own = OwnCounter().value;
  own.store(own.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace cudasim
