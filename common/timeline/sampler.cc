#include "common/timeline/sampler.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>

#include "common/timeline/next_call.h"
#include "common/timeline/recorder.h"

namespace lab::timeline {
namespace {

// In nanoseconds.
constexpr std::int64_t kShortestPause = 400'000;
constexpr std::int64_t kLongestPause = 40'000'000;
constexpr std::int64_t kLookShare = 100;  // looks take at most one part in so many
constexpr long kBetweenSamples = 1'000'000;

pthread_t sampler;
std::atomic<bool> is_sampling{false};
std::int64_t sampler_ns = 0;

thread_local timer_t timer = nullptr;

std::int64_t OwnRunNanoseconds() { return RunNanoseconds(static_cast<pid_t>(syscall(SYS_gettid))); }

// So that looks are on time on a busy machine. Has no effect without the permission.
void RunBeforeOthers() {
  sched_param priority{};
  priority.sched_priority = 1;
  sched_setscheduler(0, SCHED_FIFO, &priority);
}

std::int64_t ProcessNanoseconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

bool AreSame(const Account& one, const Account& other) {
  return one.run_ns == other.run_ns && one.ready_ns == other.ready_ns;
}

// Of a thread that sleeps for long two accounts are enough.
void Add(std::vector<Account>& accounts, const Account& account) {
  const std::size_t count = accounts.size();
  const bool sleeps =
      count >= 2 && AreSame(accounts[count - 1], account) && AreSame(accounts[count - 2], account);
  if (sleeps) accounts.pop_back();
  accounts.push_back(account);
}

// The pause after the next look: longer while looks take more than their share of what threads run.
std::int64_t Pause(std::int64_t pause, std::int64_t run_ns) {
  const bool is_much = OwnRunNanoseconds() * kLookShare > run_ns;
  return is_much ? std::min(2 * pause, kLongestPause) : std::max(pause / 2, kShortestPause);
}

void* Sample(void*) {
  RunBeforeOthers();
  const std::int64_t before_ns = ProcessNanoseconds();
  std::int64_t pause_ns = kShortestPause;
  while (is_sampling) {
    ForEachLiving([](ThreadRecord& thread) { Add(thread.accounts, thread.ReadAccount()); });
    pause_ns = Pause(pause_ns, ProcessNanoseconds() - before_ns);
    const timespec pause{0, static_cast<long>(pause_ns)};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
  }
  sampler_ns = OwnRunNanoseconds();
  return nullptr;
}

void NotePlace(int, siginfo_t*, void* context) {
  ThreadRecord* const thread = Self();
  if (thread == nullptr) return;
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto counter = registers.gregs[REG_RIP];
  const auto frame = registers.gregs[REG_RBP];
#elif defined(__aarch64__)
  const auto counter = registers.pc;
  const auto frame = registers.regs[29];
#endif
  thread->AddProgramCounter(
      FollowFrames(reinterpret_cast<void*>(counter), reinterpret_cast<void*>(frame)));
}

}  // namespace

int OpenSchedstat(pid_t thread) {
  std::array<char, 64> path;
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/schedstat", thread);
  return open(path.data(), O_RDONLY | O_CLOEXEC);
}

// Its text is "RUN_NS WAIT_NS TURNS\n".
std::int64_t ReadyNanoseconds(int schedstat) {
  std::array<char, 96> text;
  const ssize_t size = schedstat < 0 ? -1 : pread(schedstat, text.data(), text.size(), 0);
  if (size <= 0) return -1;
  const char* const end = text.data() + size;
  const char* const number = std::find(static_cast<const char*>(text.data()), end, ' ');
  std::int64_t ready_ns = -1;
  if (number != end) std::from_chars(number + 1, end, ready_ns);
  return ready_ns;
}

std::int64_t RunNanoseconds(pid_t thread) {
  constexpr unsigned kOfThread = 4, kByScheduler = 2;  // as glibc makes pthread_getcpuclockid()
  timespec used{};
  const auto clock =
      static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | kOfThread | kByScheduler);
  if (clock_gettime(clock, &used) != 0) return 0;
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

void StartSampler() {
  is_sampling = true;
  // Not through the wrapper: it is no thread of the picture.
  LAB_NEXT(pthread_create, &sampler, nullptr, Sample, nullptr);
}

void StopSampler() {
  is_sampling = false;
  LAB_NEXT(pthread_join, sampler, nullptr);
}

std::int64_t SamplerNanoseconds() { return sampler_ns; }

void StartTimer() {
  struct sigaction action = {};
  action.sa_sigaction = NotePlace;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) return;
  const itimerspec period{{0, kBetweenSamples}, {0, kBetweenSamples}};
  timer_settime(timer, 0, &period, nullptr);
}

void StopTimer() {
  if (timer != nullptr) timer_delete(timer);
  timer = nullptr;
}

}  // namespace lab::timeline
