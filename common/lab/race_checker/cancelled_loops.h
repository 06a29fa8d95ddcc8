#pragma once

// Lets a thread leave a dynamic loop by `cancel`. clang's OpenMP runtime, at least up to LLVM 14,
// shares a record of the loop among the team and clears it when all threads have found no more
// chunks. A cancelled thread never looks, so a later loop begins where this one was left, or waits
// for ever. So such a thread takes the chunks that are left, and executes none.
#if defined(__clang__) && defined(_OPENMP)

#include <cstdint>
#include <type_traits>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/next_function.h"

namespace lab {

// Takes what is left of the dynamic loop in which the thread is; null if it is in none.
using TakeRest = void(void* place, std::int32_t thread);
inline thread_local TakeRest* take_rest = nullptr;

template <FunctionName name, typename Index>
void TakeChunks(void* place, std::int32_t thread) {
  using Step = std::make_signed_t<Index>;
  using NextChunk = int(void*, std::int32_t, std::int32_t*, Index*, Index*, Step*);
  std::int32_t is_last = 0;
  Index lower{}, upper{};
  Step stride{};
  while (NextFunction<name, NextChunk>::Get()(place, thread, &is_last, &lower, &upper, &stride)) {
  }
}

// What the runtime's function said: whether the thread leaves the construct of this kind.
inline std::int32_t Leaves(std::int32_t is_cancelled, void* place, std::int32_t thread,
                           std::int32_t kind) {
  constexpr std::int32_t kLoop = 2;
  if (is_cancelled != 0 && kind == kLoop && take_rest != nullptr) take_rest(place, thread);
  return is_cancelled;
}

using Cancel = std::int32_t(void* place, std::int32_t thread, std::int32_t kind);

}  // namespace lab

#define LAB_BEGINS_DYNAMIC_LOOP(kind, Index)                                                    \
  LAB_CALLED_BY_NAME void __kmpc_dispatch_init_##kind(                                          \
      void* place, std::int32_t thread, std::int32_t schedule, Index lower, Index upper,        \
      std::make_signed_t<Index> step, std::make_signed_t<Index> chunk) {                        \
    lab::take_rest = &lab::TakeChunks<"__kmpc_dispatch_next_" #kind, Index>;                    \
    lab::NextFunction<"__kmpc_dispatch_init_" #kind,                                            \
                      decltype(__kmpc_dispatch_init_##kind)>::Get()(place, thread, schedule,    \
                                                                    lower, upper, step, chunk); \
  }

LAB_BEGINS_DYNAMIC_LOOP(4, std::int32_t)
LAB_BEGINS_DYNAMIC_LOOP(4u, std::uint32_t)
LAB_BEGINS_DYNAMIC_LOOP(8, std::int64_t)
LAB_BEGINS_DYNAMIC_LOOP(8u, std::uint64_t)

#undef LAB_BEGINS_DYNAMIC_LOOP

LAB_CALLED_BY_NAME std::int32_t __kmpc_cancel(void* place, std::int32_t thread, std::int32_t kind) {
  return lab::Leaves(lab::NextFunction<"__kmpc_cancel", lab::Cancel>::Get()(place, thread, kind),
                     place, thread, kind);
}

LAB_CALLED_BY_NAME std::int32_t __kmpc_cancellationpoint(void* place, std::int32_t thread,
                                                         std::int32_t kind) {
  const auto next = lab::NextFunction<"__kmpc_cancellationpoint", lab::Cancel>::Get();
  return lab::Leaves(next(place, thread, kind), place, thread, kind);
}

#endif
