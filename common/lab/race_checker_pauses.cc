// Schedules that are legal and rare, made likely under ThreadSanitizer:
//
//  - A thread pauses between its look at a predicate and the sleep in pthread_cond_wait(), holding
//    the mutex. A signal that is sent meanwhile, without the mutex, is lost. Its stack is written
//    to the error output: if the threads then wait for ever, it is the cause.
//  - It pauses before it takes its first mutex: others act between two critical sections. Where
//  they
//    did, since this thread unlocked the same one, both places are written, too: an update in two
//    steps is lost.
//  - It pauses before it unlocks one, so that others' pthread_mutex_trylock() fails.
//  - It pauses before it signals.
//
// Only at some calls of each thread, mostly its first, and for a small share of the time. To
// checkpoints (checkpoint.h) a pausing thread is awake. The OpenMP runtime's own locks are left
// alone.
//
// Linked as race_checker_threads.cc is. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include "common/lab/race_checker_pauses.h"

#include <pthread.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "common/lab/next_function.h"

namespace {

using lab::Pauses;

Pauses before_waits(8);
Pauses before_locks(32);
Pauses before_unlocks(32);
Pauses before_signals(32);

// Mutexes that the thread has locked by pthread_mutex_lock(). A thread that
// holds one does not pause before it takes another: threads that lock each other out should do so
// only after ThreadSanitizer has seen both orders.
thread_local int held = 0;

// How often the mutexes whose addresses fall to a place were locked.
std::uint32_t turns[256] = {};

// A mutex that the calling thread has unlocked, and where.
struct Unlocked {
  const pthread_mutex_t* mutex = nullptr;
  std::uint32_t turn = 0;
  lab::Stack stack{};
};

LAB_UNWATCHED std::size_t PlaceOf(const pthread_mutex_t* mutex) {
  const auto address = reinterpret_cast<std::uintptr_t>(mutex);
  return (address >> 3 ^ address >> 8) % std::size(turns);
}

LAB_UNWATCHED Unlocked& UnlockedAt(const pthread_mutex_t* mutex) {
  constexpr std::size_t kMost = 4;
  thread_local Unlocked unlocked[kMost];
  return unlocked[PlaceOf(mutex) % kMost];
}

LAB_UNWATCHED void BeforeLock(const pthread_mutex_t* mutex, bool is_due, const void* frame) {
  if (is_due) before_locks.Pause();
  const std::uint32_t turn = __atomic_fetch_add(&turns[PlaceOf(mutex)], 1, __ATOMIC_RELAXED);
  const Unlocked& last = UnlockedAt(mutex);
  if (last.mutex == mutex && last.turn != turn) {
    lab::SayBetween("WARNING: locked by another thread\n", last.stack, lab::CallersOf(frame));
  }
}

LAB_UNWATCHED void BeforeUnlock(const pthread_mutex_t* mutex, const void* frame) {
  Unlocked& last = UnlockedAt(mutex);
  last.mutex = mutex;
  last.turn = __atomic_load_n(&turns[PlaceOf(mutex)], __ATOMIC_RELAXED);
  last.stack = lab::CallersOf(frame);
}

// The conditions before whose waits threads pause.
const pthread_cond_t* awaited[64] = {};

LAB_UNWATCHED void PauseBeforeWait(const pthread_cond_t* condition) {
  const pthread_cond_t** slot = nullptr;
  for (const pthread_cond_t*& place : awaited) {
    const pthread_cond_t* free = nullptr;
    if (__atomic_compare_exchange_n(&place, &free, condition, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      slot = &place;
      break;
    }
  }
  before_waits.Pause();
  if (slot != nullptr) __atomic_store_n(slot, nullptr, __ATOMIC_RELAXED);
}

LAB_UNWATCHED _Unwind_Reason_Code SayFrame(_Unwind_Context* context, void*) {
  lab::SayFrame(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

LAB_UNWATCHED void ReportIfLost(const pthread_cond_t* condition) {
  constexpr int kMostReports = 16;
  static int reports = 0;
  bool is_lost = false;
  for (const pthread_cond_t*& place : awaited) {
    is_lost |= __atomic_load_n(&place, __ATOMIC_RELAXED) == condition;
  }
  if (!is_lost || __atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED) >= kMostReports) return;
  lab::Say("WARNING: lost signal\n");
  _Unwind_Backtrace(SayFrame, nullptr);
}

}  // namespace

// Ends in the next function, which so has our caller: whether that is the OpenMP runtime decides
// what ThreadSanitizer looks at (race_checker.cc). By another name, as glibc declares its functions
// noexcept, and those cannot end so.
#define LAB_DEFINE(name, Type, parameters, before, ...)                            \
  extern "C" int Lab_##name parameters __asm__(#name);                             \
  __attribute__((disable_sanitizer_instrumentation)) int Lab_##name parameters {   \
    before;                                                                        \
    [[clang::musttail]] return lab::NextFunction<#name, Type>::Get()(__VA_ARGS__); \
  }

#define LAB_UNLESS_OPENMP(act) \
  if (!lab::IsOfOpenMp(__builtin_return_address(0))) act

#define LAB_DEFINE_SIGNAL(name)                                        \
  LAB_DEFINE(name, int(pthread_cond_t*), (pthread_cond_t * condition), \
             if (LAB_IS_DUE(before_signals)) before_signals.Pause();   \
             ReportIfLost(condition), condition)

LAB_DEFINE(pthread_cond_wait, int(pthread_cond_t*, pthread_mutex_t*),
           (pthread_cond_t * condition, pthread_mutex_t* mutex),
           if (LAB_IS_DUE(before_waits)) PauseBeforeWait(condition), condition, mutex)
LAB_DEFINE(pthread_mutex_lock, int(pthread_mutex_t*), (pthread_mutex_t * mutex),
           const bool is_due = held++ == 0 && LAB_IS_DUE(before_locks);
           LAB_UNLESS_OPENMP(BeforeLock(mutex, is_due, __builtin_frame_address(0))), mutex)
LAB_DEFINE(pthread_mutex_unlock, int(pthread_mutex_t*), (pthread_mutex_t * mutex),
           if (held > 0)-- held;
           LAB_UNLESS_OPENMP(BeforeUnlock(mutex, __builtin_frame_address(0)));
           if (LAB_IS_DUE(before_unlocks)) before_unlocks.Pause(), mutex)
LAB_DEFINE_SIGNAL(pthread_cond_signal)
LAB_DEFINE_SIGNAL(pthread_cond_broadcast)
#endif
#endif
