#pragma once

// Lets other threads of a team steal tasks under ThreadSanitizer. A thread that makes a task often
// runs it itself, at the next taskwait, before the others of its team have woken up: on one core
// nearly always. Then the task is ordered with all that this thread does, and its races are not
// found. So a thread that has made a task sleeps at times. At random, because if threads always
// slept, one other thread would run all tasks, which hides races between them.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/next_function.h"
#include "common/lab/race_checker/task_memory.h"

// Null without OpenMP.
extern "C" __attribute__((weak)) int omp_get_num_threads();

namespace lab {

inline std::int64_t NanosecondsNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// True with probability 3/4.
inline bool IsRandomlyTrue() {
  thread_local std::uint32_t state = static_cast<std::uint32_t>(NanosecondsNow()) | 1;
  state = state * 1664525u + 1013904223u;
  return state >> 30 != 0;
}

// Sleeps at random, long enough for another thread to steal a task, and in all for about a third of
// the time since the first task at most. Adds nothing to happens-before: its atomics are relaxed,
// and it calls the kernel directly, as ThreadSanitizer would name a call of nanosleep() in its
// reports as if it synchronised.
inline void LetOthersTakeTasks() {
  constexpr std::int64_t kSleep = 100'000;
  constexpr std::int64_t kAlways = 20'000'000;
  static const std::int64_t began = NanosecondsNow();
  static std::atomic<std::int64_t> slept{0};
  if (omp_get_num_threads() < 2 || !IsRandomlyTrue()) return;
  const std::int64_t before = NanosecondsNow();
  if (slept.load(std::memory_order_relaxed) > kAlways + (before - began) / 3) return;
  timespec time{0, kSleep};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, nullptr);
  slept.fetch_add(NanosecondsNow() - before, std::memory_order_relaxed);
}

}  // namespace lab

// Compiled code calls these to enqueue a task, without or with dependences, and the tasks of a
// taskloop. Each interposes the runtime's function, and calls it.

LAB_CALLED_BY_NAME std::int32_t __kmpc_omp_task(void* location, std::int32_t thread, void* task) {
  const auto next = lab::NextFunction<"__kmpc_omp_task", decltype(__kmpc_omp_task)>::Get();
  const std::int32_t result = next(location, thread, task);
  lab::LetOthersTakeTasks();
  return result;
}

LAB_CALLED_BY_NAME std::int32_t __kmpc_omp_task_with_deps(void* location, std::int32_t thread,
                                                          void* task, std::int32_t count,
                                                          void* dependences,
                                                          std::int32_t no_alias_count,
                                                          void* no_alias) {
  const auto next =
      lab::NextFunction<"__kmpc_omp_task_with_deps", decltype(__kmpc_omp_task_with_deps)>::Get();
  const std::int32_t result =
      next(location, thread, task, count, dependences, no_alias_count, no_alias);
  lab::LetOthersTakeTasks();
  return result;
}

LAB_CALLED_BY_NAME void __kmpc_taskloop(void* location, std::int32_t thread, lab::RuntimeTask* task,
                                        std::int32_t condition, std::uint64_t* lower,
                                        std::uint64_t* upper, std::int64_t stride,
                                        std::int32_t no_group, std::int32_t schedule,
                                        std::uint64_t grain_size, lab::FillTask* fill) {
  const auto next = lab::NextFunction<"__kmpc_taskloop", decltype(__kmpc_taskloop)>::Get();
  lab::SetFill(task, fill);
  next(location, thread, task, condition, lower, upper, stride, no_group, schedule, grain_size,
       &lab::FillInNewMemory);
  lab::LetOthersTakeTasks();
}

#endif
#endif
