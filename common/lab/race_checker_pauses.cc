// Schedules that are legal and rare, made likely under ThreadSanitizer:
//
//  - A thread pauses between its look at a predicate and the sleep in pthread_cond_wait(), holding
//    the mutex. A signal that is sent meanwhile, without the mutex, is lost. Its stack is written
//    to the error output: if the threads then wait for ever, it is the cause.
//  - It pauses before it takes its first mutex: others act between two critical sections.
//  - It pauses before it unlocks one, so that others' pthread_mutex_trylock() fails.
//  - It pauses before it signals.
//
// Only at some of the first calls of each thread, and for a small share of the time. To
// checkpoints (checkpoint.h) a pausing thread is awake. The OpenMP runtime's own locks are left
// alone.
//
// Linked as race_checker_threads.cc is. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "common/lab/next_function.h"

namespace {

constexpr std::uint64_t kPause = 1'000'000;  // ns
constexpr std::uint64_t kGrace = 20'000'000;
constexpr unsigned kMostPauses = 16;  // of each kind and thread

// Without the C library, whose function is watched.
std::uint64_t Now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

const std::uint64_t begun = Now();

// The library that an address belongs to, or null. Not by the loader's own functions, which wait
// for a library that is being initialised.
const link_map* LibraryOf(std::uintptr_t address) {
  const link_map* last = nullptr;
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next) {
    if (map->l_addr <= address && (last == nullptr || map->l_addr > last->l_addr)) last = map;
  }
  return last;
}

// One kind of pause.
class Pauses {
 public:
  // All threads together spend at most one `part`-th of the time in it.
  explicit constexpr Pauses(unsigned part) : part_(part) {}

  // Whether to pause. `count` is the calling thread's own; `caller` is where it was called from.
  bool IsDue(unsigned& count, const void* caller) const {
    // After the sequence of Thue and Morse, so that no loop keeps step with it.
    if (count >= kMostPauses || std::popcount(count++) % 2 != 0) return false;
    if (part_ * spent_.load(std::memory_order_relaxed) > Now() - begun + kGrace) return false;
    const link_map* const library = LibraryOf(reinterpret_cast<std::uintptr_t>(caller));
    return library == nullptr || std::strstr(library->l_name, "omp.so") == nullptr;
  }

  void Pause() {
    const std::uint64_t start = Now();
    std::uint64_t now = start;
    for (; now - start < kPause; now = Now()) syscall(SYS_sched_yield);
    spent_.fetch_add(now - start, std::memory_order_relaxed);
  }

 private:
  const unsigned part_;
  std::atomic<std::uint64_t> spent_{0};
};

Pauses before_waits(8);
Pauses before_locks(32);
Pauses before_unlocks(32);
Pauses before_signals(32);

// Mutexes that the thread has locked by pthread_mutex_lock(). A thread that
// holds one does not pause before it takes another: threads that lock each other out should do so
// only after ThreadSanitizer has seen both orders.
thread_local int held = 0;

// The conditions before whose waits threads pause.
std::array<std::atomic<const pthread_cond_t*>, 64> awaited{};

void PauseBeforeWait(const pthread_cond_t* condition) {
  std::atomic<const pthread_cond_t*>* slot = nullptr;
  for (auto& place : awaited) {
    const pthread_cond_t* free = nullptr;
    if (place.compare_exchange_strong(free, condition, std::memory_order_relaxed)) {
      slot = &place;
      break;
    }
  }
  before_waits.Pause();
  if (slot != nullptr) slot->store(nullptr, std::memory_order_relaxed);
}

_Unwind_Reason_Code PrintFrame(_Unwind_Context* context, void*) {
  const std::uintptr_t address = _Unwind_GetIP(context) - 1;
  const link_map* const library = LibraryOf(address);
  if (library == nullptr) return _URC_NO_REASON;
  const char* const slash = std::strrchr(library->l_name, '/');
  char line[300];
  const int length =
      std::snprintf(line, sizeof line, "    #0 <null> <null> (%s+0x%lx)\n",
                    slash != nullptr ? slash + 1 : library->l_name, address - library->l_addr);
  syscall(SYS_write, STDERR_FILENO, line, std::min<std::size_t>(length, sizeof line - 1));
  return _URC_NO_REASON;
}

void ReportIfLost(const pthread_cond_t* condition) {
  constexpr int kMostReports = 16;
  static std::atomic<int> reports{0};
  const bool is_lost = std::any_of(awaited.begin(), awaited.end(), [&](const auto& place) {
    return place.load(std::memory_order_relaxed) == condition;
  });
  if (!is_lost || reports.fetch_add(1, std::memory_order_relaxed) >= kMostReports) return;
  constexpr char kSaid[] = "WARNING: lost signal\n";
  syscall(SYS_write, STDERR_FILENO, kSaid, sizeof kSaid - 1);
  _Unwind_Backtrace(PrintFrame, nullptr);
}

}  // namespace

#define LAB_IS_DUE(pauses)                  \
  ([caller = __builtin_return_address(0)] { \
    thread_local unsigned count = 0;        \
    return (pauses).IsDue(count, caller);   \
  }())

// Ends in the next function, which so has our caller: whether that is the OpenMP runtime decides
// what ThreadSanitizer looks at (race_checker.cc). By another name, as glibc declares its functions
// noexcept, and those cannot end so.
#define LAB_DEFINE(name, Type, parameters, before, ...)                            \
  extern "C" int Lab_##name parameters __asm__(#name);                             \
  __attribute__((disable_sanitizer_instrumentation)) int Lab_##name parameters {   \
    before;                                                                        \
    [[clang::musttail]] return lab::NextFunction<#name, Type>::Get()(__VA_ARGS__); \
  }

#define LAB_DEFINE_SIGNAL(name)                                        \
  LAB_DEFINE(name, int(pthread_cond_t*), (pthread_cond_t * condition), \
             if (LAB_IS_DUE(before_signals)) before_signals.Pause();   \
             ReportIfLost(condition), condition)

LAB_DEFINE(pthread_cond_wait, int(pthread_cond_t*, pthread_mutex_t*),
           (pthread_cond_t * condition, pthread_mutex_t* mutex),
           if (LAB_IS_DUE(before_waits)) PauseBeforeWait(condition), condition, mutex)
LAB_DEFINE(pthread_mutex_lock, int(pthread_mutex_t*), (pthread_mutex_t * mutex),
           if (held++ == 0 && LAB_IS_DUE(before_locks)) before_locks.Pause(), mutex)
LAB_DEFINE(pthread_mutex_unlock, int(pthread_mutex_t*), (pthread_mutex_t * mutex),
           if (held > 0)-- held;
           if (LAB_IS_DUE(before_unlocks)) before_unlocks.Pause(), mutex)
LAB_DEFINE_SIGNAL(pthread_cond_signal)
LAB_DEFINE_SIGNAL(pthread_cond_broadcast)
#endif
#endif
