#pragma once

// Makes events happen that are rare on a real machine, though POSIX allows them at any time:
//
//  - Half of the calls of pthread_cond_wait() of a thread, and its first, are spurious wake-ups: it
//    releases the mutex, lets other threads run, takes the mutex again and returns. A program that
//    checks its predicate in a loop does not notice; one that checks it once goes on although it
//    does not hold, at every run and not at one in a million.
//  - Half of the calls of pthread_mutex_lock() sleep for a moment first. So what happens
//    between an unlock or a signal and the next lock is seen by others.
//
// Both only among the first calls of each thread, so that long calls of a lab keep their speed.
//
// Included by a lab's exports.cc where lab() says adverse_schedules = True. The definitions are
// protected: calls from the library that they are linked into always reach them, and in a test of
// several libraries those of the others do, too. Under ThreadSanitizer race_checker_pauses.cc does
// the same, and tells where.

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/lab/checkpoint.h"
#include "common/lab/race_checker/next_function.h"

namespace lab {

inline constexpr unsigned kMostWaits = 64;
inline constexpr unsigned kMostLocks = 16;

}  // namespace lab

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LAB_LEFT_TO_THE_RACE_CHECKER
#endif
#endif

#ifndef LAB_LEFT_TO_THE_RACE_CHECKER
extern "C" __attribute__((used, visibility("protected"))) int pthread_mutex_lock(
    pthread_mutex_t* mutex) noexcept {
  const auto next = lab::NextFunction<"pthread_mutex_lock", int(pthread_mutex_t*)>::Get();
  // Threads that run the same code begin differently.
  thread_local unsigned count = static_cast<unsigned>(syscall(SYS_gettid)) % 8;
  if (lab::internal::IsTurn(count, lab::kMostLocks)) lab::internal::Nap();
  return next(mutex);
}

extern "C" __attribute__((used, visibility("protected"))) int pthread_cond_wait(
    pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const auto next =
      lab::NextFunction<"pthread_cond_wait", int(pthread_cond_t*, pthread_mutex_t*)>::Get();
  thread_local unsigned count = 0;
  if (!lab::internal::IsTurn(count, lab::kMostWaits)) return next(condition, mutex);
  pthread_mutex_unlock(mutex);
  syscall(SYS_sched_yield);
  return pthread_mutex_lock(mutex);
}
#endif
