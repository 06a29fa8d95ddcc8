// Definitions of the C library's functions for threads, which report to the recorder and call the
// library's own. Linked into the program, so that C++'s library calls these, too.

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdarg>
#include <cstdint>
#include <memory>

#include "common/timeline/next_call.h"
#include "common/timeline/recorder.h"

namespace {

using lab::timeline::BeginThread;
using lab::timeline::EndThread;
using lab::timeline::IsOfProgram;
using lab::timeline::Kind;
using lab::timeline::Now;
using lab::timeline::Place;
using lab::timeline::Self;
using lab::timeline::ThreadRecord;
using lab::timeline::Waker;
using lab::timeline::WakerOf;

// Of the definition that uses it.
#define LAB_RETURN __builtin_return_address(0)
#define LAB_PLACE \
  lab::timeline::PlaceOf(LAB_RETURN, *static_cast<void**>(__builtin_frame_address(0)))
// The calling thread's record, if this call belongs to the picture.
#define LAB_THREAD (IsOfProgram(LAB_RETURN) ? Self() : nullptr)

std::uint64_t Address(const volatile void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

std::uintptr_t Frame(const void* return_address) {
  return reinterpret_cast<std::uintptr_t>(return_address);
}

// Waits in `function` unless `attempt` succeeds, which takes no time in the picture.
template <typename Attempt, typename Function>
int Acquire(ThreadRecord& thread, const volatile void* lock, const Place& place,
            const Attempt& attempt, const Function& function) {
  int error = attempt();
  if (error == EBUSY) {
    thread.Begin(Kind::kLock, Address(lock), 0, place);
    error = function();
    thread.End(WakerOf(Address(lock)));
  }
  if (error == 0) thread.Acquired(Address(lock), place);
  return error;
}

int Try(ThreadRecord& thread, const volatile void* lock, const Place& place, int error) {
  if (error == 0) thread.Acquired(Address(lock), place);
  if (error == EBUSY) thread.Failed(Address(lock), place);
  return error;
}

// A wait that lasts as long as `function`.
template <typename Function>
auto Wait(ThreadRecord& thread, Kind kind, const volatile void* object, const Place& place,
          const Function& function) {
  thread.Begin(kind, Address(object), 0, place);
  const auto result = function();
  thread.End(WakerOf(Address(object)));
  return result;
}

// A wait for a condition gives its mutex back meanwhile.
template <typename Function>
int WaitForCondition(ThreadRecord& thread, pthread_cond_t* condition, pthread_mutex_t* mutex,
                     const Place& place, const Function& function) {
  thread.Released(Address(mutex), place[0]);
  const int error = Wait(thread, Kind::kCondition, condition, place, function);
  thread.Acquired(Address(mutex), place);
  return error;
}

struct Beginning {
  void* (*function)(void*);
  void* argument;
  Waker creator;
  bool is_openmp;
};

// Also when pthread_exit() unwinds the thread.
struct Ending {
  ~Ending() { EndThread(); }
};

void* Run(void* data) {
  const std::unique_ptr<Beginning> beginning(static_cast<Beginning*>(data));
  BeginThread(beginning->creator, beginning->is_openmp);
  const Ending ending;
  return beginning->function(beginning->argument);
}

}  // namespace

int pthread_create(pthread_t* made, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  ThreadRecord* const thread = Self();
  Waker creator;
  const bool is_openmp = !IsOfProgram(LAB_RETURN);
  if (thread != nullptr && !is_openmp) creator = {Now(), LAB_PLACE[0], thread->number};
  auto* const beginning = new Beginning{function, argument, creator, is_openmp};
  const int error = LAB_NEXT(pthread_create, made, attributes, Run, beginning);
  if (error != 0) delete beginning;
  return error;
}

int pthread_join(pthread_t other, void** result) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(pthread_join, other, result);
  return Wait(*thread, Kind::kJoin, nullptr, LAB_PLACE,
              [&] { return LAB_NEXT(pthread_join, other, result); });
}

#define LAB_LOCKS(name, attempt, Lock)                                     \
  int name(Lock* lock) noexcept {                                          \
    ThreadRecord* const thread = LAB_THREAD;                               \
    if (thread == nullptr) return LAB_NEXT(name, lock);                    \
    return Acquire(                                                        \
        *thread, lock, LAB_PLACE, [&] { return LAB_NEXT(attempt, lock); }, \
        [&] { return LAB_NEXT(name, lock); });                             \
  }
#define LAB_LOCKS_UNTIL(name, attempt, Lock)                               \
  int name(Lock* lock, const timespec* end) noexcept {                     \
    ThreadRecord* const thread = LAB_THREAD;                               \
    if (thread == nullptr) return LAB_NEXT(name, lock, end);               \
    return Acquire(                                                        \
        *thread, lock, LAB_PLACE, [&] { return LAB_NEXT(attempt, lock); }, \
        [&] { return LAB_NEXT(name, lock, end); });                        \
  }
#define LAB_LOCKS_BY_CLOCK(name, attempt, Lock)                            \
  int name(Lock* lock, clockid_t clock, const timespec* end) noexcept {    \
    ThreadRecord* const thread = LAB_THREAD;                               \
    if (thread == nullptr) return LAB_NEXT(name, lock, clock, end);        \
    return Acquire(                                                        \
        *thread, lock, LAB_PLACE, [&] { return LAB_NEXT(attempt, lock); }, \
        [&] { return LAB_NEXT(name, lock, clock, end); });                 \
  }
#define LAB_TRIES(name, Lock)                                                \
  int name(Lock* lock) noexcept {                                            \
    ThreadRecord* const thread = LAB_THREAD;                                 \
    const int error = LAB_NEXT(name, lock);                                  \
    return thread == nullptr ? error : Try(*thread, lock, LAB_PLACE, error); \
  }
#define LAB_UNLOCKS(name, Lock)                                           \
  int name(Lock* lock) noexcept {                                         \
    ThreadRecord* const thread = LAB_THREAD;                              \
    if (thread != nullptr) thread->Released(Address(lock), LAB_PLACE[0]); \
    return LAB_NEXT(name, lock);                                          \
  }

LAB_LOCKS(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)
LAB_LOCKS_UNTIL(pthread_mutex_timedlock, pthread_mutex_trylock, pthread_mutex_t)
LAB_LOCKS_BY_CLOCK(pthread_mutex_clocklock, pthread_mutex_trylock, pthread_mutex_t)
LAB_TRIES(pthread_mutex_trylock, pthread_mutex_t)
LAB_UNLOCKS(pthread_mutex_unlock, pthread_mutex_t)

LAB_LOCKS(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
LAB_LOCKS(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)
LAB_LOCKS_UNTIL(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
LAB_LOCKS_UNTIL(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)
LAB_LOCKS_BY_CLOCK(pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
LAB_LOCKS_BY_CLOCK(pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)
LAB_TRIES(pthread_rwlock_tryrdlock, pthread_rwlock_t)
LAB_TRIES(pthread_rwlock_trywrlock, pthread_rwlock_t)
LAB_UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t)

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(pthread_spin_lock, lock);
  const Place place = LAB_PLACE;
  int error = LAB_NEXT(pthread_spin_trylock, lock);
  if (error == EBUSY) {
    error =
        Wait(*thread, Kind::kSpin, lock, place, [&] { return LAB_NEXT(pthread_spin_lock, lock); });
  }
  if (error == 0) thread->Acquired(Address(lock), place);
  return error;
}
LAB_TRIES(pthread_spin_trylock, pthread_spinlock_t)
LAB_UNLOCKS(pthread_spin_unlock, pthread_spinlock_t)

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(pthread_cond_wait, condition, mutex);
  return WaitForCondition(*thread, condition, mutex, LAB_PLACE,
                          [&] { return LAB_NEXT(pthread_cond_wait, condition, mutex); });
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(pthread_cond_timedwait, condition, mutex, end);
  return WaitForCondition(*thread, condition, mutex, LAB_PLACE,
                          [&] { return LAB_NEXT(pthread_cond_timedwait, condition, mutex, end); });
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* end) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(pthread_cond_clockwait, condition, mutex, clock, end);
  return WaitForCondition(*thread, condition, mutex, LAB_PLACE, [&] {
    return LAB_NEXT(pthread_cond_clockwait, condition, mutex, clock, end);
  });
}

// What may end another thread's wait.
#define LAB_WAKES(name, Object)                                                   \
  int name(Object* object) noexcept {                                             \
    ThreadRecord* const thread = LAB_THREAD;                                      \
    if (thread != nullptr) SetWaker(Address(object), *thread, Frame(LAB_RETURN)); \
    return LAB_NEXT(name, object);                                                \
  }
LAB_WAKES(pthread_cond_signal, pthread_cond_t)
LAB_WAKES(pthread_cond_broadcast, pthread_cond_t)
LAB_WAKES(sem_post, sem_t)

int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(pthread_barrier_wait, barrier);
  SetWaker(Address(barrier), *thread, Frame(LAB_RETURN));  // if it is the last one
  return Wait(*thread, Kind::kBarrier, barrier, LAB_PLACE,
              [&] { return LAB_NEXT(pthread_barrier_wait, barrier); });
}

// Waits only if there is nothing to take.
template <typename Function>
int Take(ThreadRecord& thread, sem_t* semaphore, const Place& place, const Function& function) {
  if (LAB_NEXT(sem_trywait, semaphore) == 0) return 0;
  return Wait(thread, Kind::kSemaphore, semaphore, place, function);
}
int sem_wait(sem_t* semaphore) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(sem_wait, semaphore);
  return Take(*thread, semaphore, LAB_PLACE, [&] { return LAB_NEXT(sem_wait, semaphore); });
}
int sem_timedwait(sem_t* semaphore, const timespec* end) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(sem_timedwait, semaphore, end);
  return Take(*thread, semaphore, LAB_PLACE,
              [&] { return LAB_NEXT(sem_timedwait, semaphore, end); });
}
int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(sem_clockwait, semaphore, clock, end);
  return Take(*thread, semaphore, LAB_PLACE,
              [&] { return LAB_NEXT(sem_clockwait, semaphore, clock, end); });
}

int sched_yield() noexcept {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(sched_yield);
  return Wait(*thread, Kind::kYield, nullptr, LAB_PLACE, [] { return LAB_NEXT(sched_yield); });
}
int nanosleep(const timespec* time, timespec* left) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(nanosleep, time, left);
  return Wait(*thread, Kind::kSleep, nullptr, LAB_PLACE,
              [&] { return LAB_NEXT(nanosleep, time, left); });
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return LAB_NEXT(clock_nanosleep, clock, flags, time, left);
  return Wait(*thread, Kind::kSleep, nullptr, LAB_PLACE,
              [&] { return LAB_NEXT(clock_nanosleep, clock, flags, time, left); });
}

// Waits and notifications of atomics, latches and barriers of C++ are system calls.
long syscall(long number, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, number);
  long values[6];
  for (long& value : values) value = va_arg(arguments, long);
  va_end(arguments);
  const auto call = [&] {
    return lab::NextFunction<"syscall", long(long, ...)>::Get()(
        number, values[0], values[1], values[2], values[3], values[4], values[5]);
  };
  ThreadRecord* const thread = LAB_THREAD;
  if (thread == nullptr) return call();
  const auto* const object = reinterpret_cast<const void*>(values[0]);
  if (number == SYS_sched_yield) {
    return Wait(*thread, Kind::kYield, nullptr, LAB_PLACE, call);
  }
  if (number != SYS_futex) return call();
  const long operation = values[1] & FUTEX_CMD_MASK;
  if (operation == FUTEX_WAKE) SetWaker(Address(object), *thread, Frame(LAB_RETURN));
  if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) return call();
  return Wait(*thread, Kind::kAtomic, object, LAB_PLACE, call);
}
