// Schedules that are legal and rare, made likely under ThreadSanitizer:
//
//  - A thread pauses between its look at a predicate and the sleep in pthread_cond_wait(), holding
//    the mutex. A signal that is sent meanwhile, without the mutex, is lost. Its stack is written
//    to the error output: if the threads then wait for ever, it is the cause.
//  - It pauses before it takes and before it releases a mutex: race_checker_pauses.h.
//  - It pauses before it signals.
//  - Locks that a thread holds when it ends, or when it waits for another one to end, are written
//  to
//    the error output.
//  - pthread_cond_wait() returns at once, without a signal: a spurious wake-up. Nobody else had the
//    mutex meanwhile, so what the thread waits for is as it was. If it releases the mutex before it
//    waits again, it has not looked: where it waited is written to the error output.
//
// Only at some calls of each thread, mostly its first, and for a small share of the time. To
// checkpoints (checkpoint.h) a pausing thread is awake. The OpenMP runtime's own locks are left
// alone.
//
// Linked as race_checker_threads.cc is. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include "common/lab/race_checker/pauses.h"

#include <pthread.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>

#include "common/lab/race_checker/next_function.h"

extern "C" int __pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) noexcept;

namespace {

using lab::before_locks;
using lab::before_unlocks;
using lab::held;
using lab::Pauses;

Pauses before_waits(8);
Pauses before_signals(32);

// The conditions before whose waits threads pause.
const pthread_cond_t* awaited[64] = {};

// The mutex with which the thread was last woken without a signal, until it waits again; and where.
// The frames of the C++ library are among those of its callers.
struct Woken {
  static constexpr std::size_t kMostFrames = 16;
  const pthread_mutex_t* mutex = nullptr;
  std::size_t size = 0;
  std::uintptr_t frames[kMostFrames] = {};
};
thread_local Woken woken;

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
  woken.mutex = nullptr;
  before_waits.Pause();
  if (slot != nullptr) __atomic_store_n(slot, nullptr, __ATOMIC_RELAXED);
}

LAB_UNWATCHED _Unwind_Reason_Code SayFrame(_Unwind_Context* context, void*) {
  lab::SayFrame(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

LAB_UNWATCHED _Unwind_Reason_Code AddFrame(_Unwind_Context* context, void*) {
  if (woken.size == Woken::kMostFrames) return _URC_END_OF_STACK;
  woken.frames[woken.size++] = _Unwind_GetIP(context);
  return _URC_NO_REASON;
}

// Whether the wait is to return at once. Not twice in a row.
LAB_UNWATCHED bool IsWoken(const pthread_mutex_t* mutex, const void* caller) {
  thread_local unsigned calls = 0;
  const bool again = woken.mutex == mutex;
  woken.mutex = nullptr;
  if (again || calls == lab::kFirstCalls || lab::IsOfOpenMp(caller)) return false;
  ++calls;
  woken.mutex = mutex;
  woken.size = 0;
  _Unwind_Backtrace(AddFrame, nullptr);
  return true;
}

LAB_UNWATCHED void ReportIfWoken(const pthread_mutex_t* mutex) {
  if (woken.mutex != mutex) return;
  woken.mutex = nullptr;
  lab::Report("WARNING: spurious wake-up\n", []() LAB_UNWATCHED {
    for (std::size_t i = 0; i < woken.size; ++i) lab::SayFrame(woken.frames[i]);
  });
}

LAB_UNWATCHED void ReportIfLost(const pthread_cond_t* condition) {
  bool is_lost = false;
  for (const pthread_cond_t*& place : awaited) {
    is_lost |= __atomic_load_n(&place, __ATOMIC_RELAXED) == condition;
  }
  if (!is_lost) return;
  lab::Report("WARNING: lost signal\n",
              []() LAB_UNWATCHED { _Unwind_Backtrace(SayFrame, nullptr); });
}

// Whether a thread that has the mutex can lock it again, or is told that it cannot.
LAB_UNWATCHED bool Nests(const pthread_mutex_t& mutex) {
  const int kind = mutex.__data.__kind & 3;
  return kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK;
}

// Of what is done when a thread ends. By a key: a variable with a destructor waits for a library
// that is being initialised.
pthread_key_t at_end;
bool has_key = false;

// Nobody can unlock them any more.
LAB_UNWATCHED void SayHeldAtEnd(void*) {
  for (int i = 0; i < held; ++i) {
    lab::Report("WARNING: ended with a lock\n",
                [i]() LAB_UNWATCHED { lab::SayStack(lab::held_locks[i].taken); });
  }
}

LAB_UNWATCHED __attribute__((constructor)) void MakeKey() {
  has_key = __pthread_key_create(&at_end, SayHeldAtEnd) == 0;
}

}  // namespace

LAB_UNWATCHED void lab::SayHeldAtJoin() {
  if (held == 0) return;
  lab::Report("WARNING: joined with a lock\n", []() LAB_UNWATCHED {
    lab::SayStack(lab::held_locks[0].taken);
    lab::Say("  and\n");
    _Unwind_Backtrace(::SayFrame, nullptr);
  });
}

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
           if (LAB_IS_DUE(before_waits)) PauseBeforeWait(condition);
           else if (IsWoken(mutex, __builtin_return_address(0))) return 0;
           LAB_UNLESS_OPENMP(lab::BeforeUnlock(mutex, __builtin_frame_address(0))), condition,
           mutex)
LAB_DEFINE(pthread_mutex_lock, int(pthread_mutex_t*), (pthread_mutex_t * mutex),
           const bool is_due = held == 0 && LAB_IS_DUE(before_locks);
           if (held == 0 && has_key) pthread_setspecific(at_end, &at_end);
           LAB_UNLESS_OPENMP(lab::BeforeLock(mutex, Nests(*mutex), is_due,
                                             __builtin_frame_address(0))),
           mutex)
LAB_DEFINE(pthread_mutex_unlock, int(pthread_mutex_t*), (pthread_mutex_t * mutex),
           lab::DropHeld(mutex);
           ReportIfWoken(mutex);
           LAB_UNLESS_OPENMP(lab::BeforeUnlock(mutex, __builtin_frame_address(0)));
           if (LAB_IS_DUE(before_unlocks)) before_unlocks.Pause(), mutex)
LAB_DEFINE_SIGNAL(pthread_cond_signal)
LAB_DEFINE_SIGNAL(pthread_cond_broadcast)
#endif
#endif
