#pragma once

// Lets a thread wait for the tasks on which one that it runs itself depends: `task if(false)
// depend(in : x)`, `taskwait depend(in : x)`. In clang's runtime Archer (version 14) crashes there.
// So this waits for an empty task with these dependences, of which Archer tells ThreadSanitizer.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/next_function.h"
#include "common/lab/race_checker/task_memory.h"

namespace lab {

// Of the runtime's kmp_task_t, as clang has it.
inline constexpr std::size_t kRuntimeTaskBytes = 40;

inline std::int32_t EndOfWait(std::int32_t, RuntimeTask* task) {
  (*static_cast<std::atomic<bool>**>(task->shareds))->store(true);
  return 0;
}

}  // namespace lab

LAB_CALLED_BY_NAME void __kmpc_omp_wait_deps(void* location, std::int32_t thread,
                                             std::int32_t dependences, void* list,
                                             std::int32_t more, void* other_list) {
  constexpr std::int32_t kTied = 1;
  std::atomic<bool> is_over{false};
  lab::RuntimeTask* const task =
      __kmpc_omp_task_alloc(location, thread, kTied, lab::kRuntimeTaskBytes, sizeof(void*),
                            reinterpret_cast<void*>(&lab::EndOfWait));
  *static_cast<std::atomic<bool>**>(task->shareds) = &is_over;
  using Begin = std::int32_t(void*, std::int32_t, void*, std::int32_t, void*, std::int32_t, void*);
  lab::NextFunction<"__kmpc_omp_task_with_deps", Begin>::Get()(location, thread, task, dependences,
                                                               list, more, other_list);
  using Yield = std::int32_t(void*, std::int32_t, int);
  while (!is_over.load()) {
    lab::NextFunction<"__kmpc_omp_taskyield", Yield>::Get()(location, thread, 0);
  }
}

#endif
#endif
