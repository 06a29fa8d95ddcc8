#pragma once

// Makes every second pthread_cond_wait() of a thread, from its first on, a spurious wake-up: it
// releases the mutex, lets other threads run, takes the mutex again and returns. POSIX allows that
// at any time. A program that checks its predicate in a loop does not notice; one that checks it
// once goes on although it does not hold, at every run and not at one in a million.
//
// Included by a lab's exports.cc where lab() says spurious_wakeups = True. The definition is
// protected: calls from the library that it is linked into always reach it, and in a test of
// several libraries those of the others do, too.

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

namespace lab {

using CondWait = int(pthread_cond_t*, pthread_mutex_t*);

// The function that `own` stands in for: ThreadSanitizer's where there is one, else that of libc.
inline CondWait* NextCondWait(CondWait* own) {
  for (const char* name : {"__interceptor_pthread_cond_wait", "pthread_cond_wait"}) {
    const auto found = reinterpret_cast<CondWait*>(dlsym(RTLD_DEFAULT, name));
    if (found != nullptr && found != own) return found;
  }
  return reinterpret_cast<CondWait*>(dlsym(RTLD_NEXT, "pthread_cond_wait"));
}

}  // namespace lab

extern "C" __attribute__((used, visibility("protected"))) int pthread_cond_wait(
    pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static const auto next = lab::NextCondWait(&pthread_cond_wait);
  thread_local bool is_spurious = false;
  is_spurious = !is_spurious;
  if (!is_spurious) return next(condition, mutex);
  pthread_mutex_unlock(mutex);
  syscall(SYS_sched_yield);
  return pthread_mutex_lock(mutex);
}
