// C library functions for threads that read or write where their caller asks, or that lock, and
// that ThreadSanitizer does not watch. Here it sees what they access, and the locks are taken by
// functions that it knows.
//
// Linked into the program itself, so that a library that is loaded later calls these, too. Where
// programs are graded, they may call no other such function. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/lab/race_checker/access.h"
#include "common/lab/race_checker/pauses.h"

extern "C" int __interceptor_pthread_join(pthread_t thread, void** result);
extern "C" void __tsan_func_entry(void* caller);
extern "C" void __tsan_func_exit();
extern "C" int __pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) noexcept;

namespace {

using lab::Change;
using lab::Next;
using lab::ReadIfAny;
using lab::ReadText;
using lab::Tell;
using lab::UseLast;

// Volatile, or compilers initialise it with true.
volatile bool is_checking = false;
__attribute__((constructor)) void Begin() { is_checking = true; }

// The time of the real-time clock when another clock will show `end`.
timespec OfRealTime(clockid_t clock, const timespec& end) {
  constexpr long kSecond = 1'000'000'000;
  timespec now{};
  timespec real{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  const long nanoseconds = real.tv_nsec + end.tv_nsec - now.tv_nsec + kSecond;  // > 0
  real.tv_sec += end.tv_sec - now.tv_sec - 1 + nanoseconds / kSecond;
  real.tv_nsec = nanoseconds % kSecond;
  return real;
}

// A walk through the callers, to the first one outside a library.
struct Walk {
  const link_map* library;
  bool is_inside = false;
  std::uintptr_t address = 0;
};

_Unwind_Reason_Code GoOn(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context);
  const bool was_inside = walk.is_inside;
  walk.is_inside = lab::LibraryOf(address) == walk.library;
  if (!was_inside || walk.is_inside) return _URC_NO_REASON;
  walk.address = address;
  return _URC_END_OF_STACK;
}

// Who called std::thread's constructor, if that has called the function with this return address.
// ThreadSanitizer sees no calls from libraries that are not instrumented.
void* CallerOfThread(const void* return_address) {
  Walk walk{lab::LibraryOf(reinterpret_cast<std::uintptr_t>(return_address))};
  if (walk.library == nullptr || std::strstr(walk.library->l_name, "libstdc++") == nullptr) {
    return nullptr;
  }
  _Unwind_Backtrace(GoOn, &walk);
  return reinterpret_cast<void*>(walk.address);
}

}  // namespace

int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t* cores) noexcept {
  __tsan_read_range(cores, bytes);
  return Next<"sched_setaffinity">(thread, bytes, cores);
}
int pthread_setaffinity_np(pthread_t thread, std::size_t bytes, const cpu_set_t* cores) noexcept {
  __tsan_read_range(cores, bytes);
  return Next<"pthread_setaffinity_np">(thread, bytes, cores);
}
int __sched_cpucount(std::size_t bytes, const cpu_set_t* cores) noexcept {
  __tsan_read_range(cores, bytes);
  return Next<"__sched_cpucount">(bytes, cores);
}
int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  ReadText(name);
  return Next<"pthread_setname_np">(thread, name);
}

// ThreadSanitizer calls it in each new thread, before it can be told of accesses; memcpy() knows.
int pthread_attr_init(pthread_attr_t* attributes) noexcept {
  pthread_attr_t made;
  const int error = Next<"pthread_attr_init">(&made);
  if (error == 0) std::memcpy(attributes, &made, sizeof made);
  return error;
}

// The OpenMP runtime orders the uses of its own objects by means that ThreadSanitizer does not see.
#define LAB_IS_OF_OPENMP lab::IsOfOpenMp(__builtin_return_address(0))

#define LAB_MAKE(name, Attributes)                        \
  int name(Attributes* attributes) noexcept {             \
    if (LAB_IS_OF_OPENMP) return Next<#name>(attributes); \
    return Change<#name>(attributes);                     \
  }
#define LAB_SET(name, Attributes, Value)                         \
  int name(Attributes* attributes, const Value value) noexcept { \
    return Change<#name>(attributes, value);                     \
  }

LAB_SET(pthread_attr_setdetachstate, pthread_attr_t, int)
LAB_SET(pthread_attr_setguardsize, pthread_attr_t, std::size_t)
LAB_SET(pthread_attr_setscope, pthread_attr_t, int)
LAB_SET(pthread_attr_setstacksize, pthread_attr_t, std::size_t)
LAB_MAKE(pthread_mutexattr_init, pthread_mutexattr_t)
LAB_SET(pthread_mutexattr_settype, pthread_mutexattr_t, int)
LAB_MAKE(pthread_condattr_init, pthread_condattr_t)
LAB_SET(pthread_condattr_setclock, pthread_condattr_t, clockid_t)
LAB_MAKE(pthread_rwlockattr_init, pthread_rwlockattr_t)
LAB_SET(pthread_rwlockattr_setkind_np, pthread_rwlockattr_t, int)

int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state) noexcept {
  return Tell<"pthread_attr_getdetachstate">(attributes, state);
}
int pthread_attr_getstacksize(const pthread_attr_t* attributes, std::size_t* bytes) noexcept {
  return Tell<"pthread_attr_getstacksize">(attributes, bytes);
}

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (LAB_IS_OF_OPENMP) return Next<"pthread_mutex_init">(mutex, attributes);
  return UseLast<"pthread_mutex_init">(mutex, attributes);
}
int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  if (LAB_IS_OF_OPENMP) return Next<"pthread_cond_init">(condition, attributes);
  return UseLast<"pthread_cond_init">(condition, attributes);
}
int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  return UseLast<"pthread_rwlock_init">(lock, attributes);
}
int sem_init(sem_t* semaphore, int is_shared, unsigned value) noexcept {
  return Change<"sem_init">(semaphore, is_shared, value);
}
// ThreadSanitizer calls it, too, before it can be told of accesses.
__attribute__((disable_sanitizer_instrumentation)) int pthread_key_create(
    pthread_key_t* key, void (*destroy)(void*)) noexcept {
  if (is_checking) __tsan_write_range(key, sizeof *key);
  return __pthread_key_create(key, destroy);
}
// Atomic, as its callers do not race with each other.
int pthread_once(pthread_once_t* control, void (*function)()) {
  __atomic_fetch_or(control, 0, __ATOMIC_RELAXED);
  return Next<"pthread_once">(control, function);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end) noexcept {
  return UseLast<"pthread_mutex_timedlock">(mutex, end);
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* end) noexcept {
  return UseLast<"pthread_rwlock_timedrdlock">(lock, end);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* end) noexcept {
  return UseLast<"pthread_rwlock_timedwrlock">(lock, end);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  return UseLast<"pthread_cond_timedwait">(condition, mutex, end);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* end) {
  return UseLast<"pthread_cond_clockwait">(condition, mutex, clock, end);
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end) noexcept {
  const timespec real = OfRealTime(clock, *end);
  return pthread_mutex_timedlock(mutex, &real);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* end) noexcept {
  const timespec real = OfRealTime(clock, *end);
  return pthread_rwlock_timedrdlock(lock, &real);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* end) noexcept {
  const timespec real = OfRealTime(clock, *end);
  return pthread_rwlock_timedwrlock(lock, &real);
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end) {
  const timespec real = OfRealTime(clock, *end);
  return sem_timedwait(semaphore, &real);
}

// glibc writes the thread's number before the thread starts, so the thread itself may read it.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  ReadIfAny(attributes);
  void* const caller = CallerOfThread(__builtin_return_address(0));
  if (caller != nullptr) __tsan_func_entry(caller);
  const int error = Change<"pthread_create">(thread, attributes, function, argument);
  if (caller != nullptr) __tsan_func_exit();
  return error;
}
int pthread_join(pthread_t thread, void** result) {
  lab::SayHeldAtJoin();
  void* returned = nullptr;
  const int error = __interceptor_pthread_join(thread, &returned);
  if (error == 0 && result != nullptr) *result = returned;
  return error;
}
#endif
#endif
