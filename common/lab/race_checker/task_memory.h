#pragma once

// Lets ThreadSanitizer follow the memory of OpenMP's tasks. clang's runtime keeps the memory of a
// task that has ended in lists of its own and gives it to the next one. ThreadSanitizer sees no
// free and no malloc there, and would report that the values given to a new task (firstprivate)
// race with the reads of the old one.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/next_function.h"
#include "common/lab/race_checker/pauses.h"

// Of ThreadSanitizer: resets the shadow memory of this block. `address` and `size` are multiples of
// 8.
extern "C" void __tsan_java_alloc(std::uintptr_t address, std::uintptr_t size);

namespace lab {

// The begin of the runtime's kmp_task_t (kmp.h in LLVM's openmp).
struct RuntimeTask {
  void* shareds;
};

// Compiled code fills a copy of a taskloop's task by it.
using FillTask = void(RuntimeTask* copy, RuntimeTask* original, std::int32_t is_last);

// Between a task's own memory and its addresses of shared variables. The runtime copies it, too.
struct TaskNote {
  std::size_t bytes;  // of all three
  FillTask* fill;
};

LAB_UNWATCHED inline TaskNote& NoteOf(RuntimeTask* task) {
  return static_cast<TaskNote*>(task->shareds)[-1];
}

LAB_UNWATCHED inline void ForgetAccesses(RuntimeTask* task) {
  __tsan_java_alloc(reinterpret_cast<std::uintptr_t>(task), NoteOf(task).bytes);
}

LAB_UNWATCHED inline void SetFill(RuntimeTask* task, FillTask* fill) { NoteOf(task).fill = fill; }

// For each task of a taskloop, in memory that the runtime takes by itself.
LAB_UNWATCHED inline void FillInNewMemory(RuntimeTask* copy, RuntimeTask* original,
                                          std::int32_t is_last) {
  ForgetAccesses(copy);
  if (FillTask* const fill = NoteOf(copy).fill) fill(copy, original, is_last);
}

}  // namespace lab

// The compiler asks for a task's memory here: `size` bytes and then `shareds` bytes for the
// addresses of shared variables. Interposes the runtime's function, and calls it.
LAB_CALLED_BY_NAME LAB_UNWATCHED lab::RuntimeTask* __kmpc_omp_task_alloc(
    void* location, std::int32_t thread, std::int32_t flags, std::size_t size, std::size_t shareds,
    void* entry) {
  const auto next =
      lab::NextFunction<"__kmpc_omp_task_alloc", decltype(__kmpc_omp_task_alloc)>::Get();
  constexpr std::size_t kWord = 8;
  size = (size + kWord - 1) / kWord * kWord + sizeof(lab::TaskNote);
  shareds = std::max(shareds, kWord);  // without any there would be no address of them
  lab::RuntimeTask* const task = next(location, thread, flags, size, shareds, entry);
  lab::NoteOf(task) = {size + shareds / kWord * kWord, nullptr};
  lab::ForgetAccesses(task);
  return task;
}

#endif
#endif
