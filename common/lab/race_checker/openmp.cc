// What orders threads in clang's OpenMP runtime and Archer does not tell ThreadSanitizer of.
//
// Reductions: the runtime takes a lock of its own, or combines while it gathers the threads at a
// barrier. Archer lets ThreadSanitizer ignore what is combined instead; the grader takes that back,
// because a program's own functions may combine.
//
// omp_get_schedule() writes where its caller says.
//
// Loops with `ordered depend(sink : i - 1)` and `ordered depend(source)`.
//
// Linked as race_checker_text.cc is. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "common/lab/race_checker/access.h"
#include "common/lab/race_checker/next_function.h"

extern "C" void __tsan_acquire(void* object);
extern "C" void __tsan_release(void* object);

namespace {

using Combine = void(void* into, void* from);

// Of the reduction that this thread takes part in.
thread_local Combine* combine = nullptr;

// Each thread passes its list of variables on to one other.
void CombineInOrder(void* into, void* from) {
  __tsan_acquire(from);
  combine(into, from);
  __tsan_release(into);
}

// A thread that is alone takes no lock.
bool IsAlone() { return lab::Next<"omp_get_num_threads">() == 1; }

// 1: the caller is to combine its variables with the result, which the lock guards.
template <lab::FunctionName name>
int Reduce(void* place, std::int32_t thread, std::int32_t variables, std::size_t bytes, void* list,
           Combine* function, void* lock) {
  Combine* const outer = std::exchange(combine, function);
  __tsan_release(list);
  const int way = lab::Next<name>(place, thread, variables, bytes, list, &CombineInOrder, lock);
  combine = outer;
  if (way == 1 && !IsAlone()) __tsan_acquire(lock);
  return way;
}

template <lab::FunctionName name>
void EndReduce(void* place, std::int32_t thread, void* lock) {
  if (!IsAlone()) __tsan_release(lock);
  lab::Next<name, void>(place, thread, lock);
}

// Of the loop that this thread shares: how many indices an iteration has.
thread_local std::size_t dimensions = 0;

// What iterations with these indices release and acquire. Others may have the same, which hides a
// race between them at worst.
void* OrderOf(const std::int64_t* indices) {
  static char orders[1 << 14];
  std::uint64_t hash = 0;
  for (const std::int64_t index : std::span(indices, dimensions)) {
    hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15;
  }
  return &orders[hash >> 50];
}

}  // namespace

// Declared by the compiler (kmp.h in LLVM's openmp).
extern "C" {

void omp_get_schedule(int* kind, int* chunk) {
  __tsan_write_range(kind, sizeof *kind);
  __tsan_write_range(chunk, sizeof *chunk);
  lab::Next<"omp_get_schedule", void>(kind, chunk);
}

void __kmpc_doacross_init(void* place, std::int32_t thread, std::int32_t count,
                          const void* bounds) {
  dimensions = static_cast<std::size_t>(count);
  lab::Next<"__kmpc_doacross_init", void>(place, thread, count, bounds);
}

void __kmpc_doacross_post(void* place, std::int32_t thread, const std::int64_t* indices) {
  __tsan_release(OrderOf(indices));
  lab::Next<"__kmpc_doacross_post", void>(place, thread, indices);
}

void __kmpc_doacross_wait(void* place, std::int32_t thread, const std::int64_t* indices) {
  lab::Next<"__kmpc_doacross_wait", void>(place, thread, indices);
  __tsan_acquire(OrderOf(indices));
}

int __kmpc_reduce(void* place, std::int32_t thread, std::int32_t variables, std::size_t bytes,
                  void* list, Combine* function, void* lock) {
  return Reduce<"__kmpc_reduce">(place, thread, variables, bytes, list, function, lock);
}

int __kmpc_reduce_nowait(void* place, std::int32_t thread, std::int32_t variables,
                         std::size_t bytes, void* list, Combine* function, void* lock) {
  return Reduce<"__kmpc_reduce_nowait">(place, thread, variables, bytes, list, function, lock);
}

void __kmpc_end_reduce(void* place, std::int32_t thread, void* lock) {
  EndReduce<"__kmpc_end_reduce">(place, thread, lock);
}

void __kmpc_end_reduce_nowait(void* place, std::int32_t thread, void* lock) {
  EndReduce<"__kmpc_end_reduce_nowait">(place, thread, lock);
}

}  // extern "C"
#endif
#endif
