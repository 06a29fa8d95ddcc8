#pragma once

// Lets ThreadSanitizer follow the memory of OpenMP's tasks. clang's runtime keeps the memory of a
// task that has ended in lists of its own and gives it to the next one. ThreadSanitizer sees no
// free and no malloc there, and would report that the values given to a new task (firstprivate)
// race with the reads of the old one.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <cstddef>
#include <cstdint>

#include "common/lab/called_by_name.h"
#include "common/lab/next_function.h"

// Of ThreadSanitizer: resets the shadow memory of this block. `address` and `size` are multiples of
// 8.
extern "C" void __tsan_java_alloc(std::uintptr_t address, std::uintptr_t size);

// The compiler asks for a task's memory here: `size` bytes and then `shareds` bytes for the
// addresses of shared variables. Interposes the runtime's function, and calls it.
LAB_CALLED_BY_NAME void* __kmpc_omp_task_alloc(void* location, std::int32_t thread,
                                               std::int32_t flags, std::size_t size,
                                               std::size_t shareds, void* entry) {
  const auto next =
      lab::NextFunction<"__kmpc_omp_task_alloc", decltype(__kmpc_omp_task_alloc)>::Get();
  void* const task = next(location, thread, flags, size, shareds, entry);
  constexpr std::size_t kWord = 8;
  const std::size_t bytes = (size + kWord - 1) / kWord * kWord + shareds / kWord * kWord;
  __tsan_java_alloc(reinterpret_cast<std::uintptr_t>(task), bytes);
  return task;
}

#endif
#endif
