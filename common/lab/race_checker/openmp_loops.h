#pragma once

// Static schedules for which clang's OpenMP runtime tells each thread to run iterations more than
// once, up to LLVM 14: schedule(simd : static, c), and static ones with a modifier such as
// schedule(monotonic : static, c). It is asked for a plain schedule(static, c) instead, which each
// of them allows.
#if defined(__clang__) && defined(_OPENMP)

#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/cancelled_loops.h"
#include "common/lab/race_checker/next_function.h"

namespace lab {

// Of the runtime (kmp.h in LLVM's openmp); the indices' type has the size of Step.
template <typename Step>
using BeginStaticLoop = void(void* place, std::int32_t thread, std::int32_t schedule,
                             std::int32_t* is_last, void* lower, void* upper, Step* stride,
                             Step step, Step chunk);

inline std::int32_t PlainSchedule(std::int32_t schedule) {
  constexpr std::int32_t kModifiers = 3 << 29;
  constexpr std::int32_t kChunked = 33;
  constexpr std::int32_t kBalancedChunked = 45;
  const std::int32_t plain = schedule & ~kModifiers;
  return plain == kBalancedChunked ? kChunked : plain;
}

}  // namespace lab

#define LAB_BEGINS_STATIC_LOOP(name, Step)                                                        \
  LAB_CALLED_BY_NAME void name(void* place, std::int32_t thread, std::int32_t schedule,           \
                               std::int32_t* is_last, void* lower, void* upper, Step* stride,     \
                               Step step, Step chunk) {                                           \
    lab::take_rest = nullptr;                                                                     \
    lab::NextFunction<#name, lab::BeginStaticLoop<Step>>::Get()(                                  \
        place, thread, lab::PlainSchedule(schedule), is_last, lower, upper, stride, step, chunk); \
  }

LAB_BEGINS_STATIC_LOOP(__kmpc_for_static_init_4, std::int32_t)
LAB_BEGINS_STATIC_LOOP(__kmpc_for_static_init_4u, std::int32_t)
LAB_BEGINS_STATIC_LOOP(__kmpc_for_static_init_8, std::int64_t)
LAB_BEGINS_STATIC_LOOP(__kmpc_for_static_init_8u, std::int64_t)

#undef LAB_BEGINS_STATIC_LOOP

#endif
