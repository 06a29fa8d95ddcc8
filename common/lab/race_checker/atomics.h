#pragma once

// Schedules that are legal and rare, made likely under ThreadSanitizer: a thread pauses before it
// writes an atomic object. If it has looked at that object by an atomic load and another thread
// changes it in the pause, then what it writes may rest on what is no longer true, as in
// `x.store(x.load() + 1)`: a lost update without a data race. Both places are written to the error
// output: if the result is wrong, they are the likely cause.
//
// The linker sends the atomic accesses of compiled code here: ATOMICS_WATCHED in flags.bzl.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <cstddef>
#include <cstdint>

#include "common/lab/race_checker/called_by_name.h"
#include "common/lab/race_checker/fences.h"
#include "common/lab/race_checker/pauses.h"

namespace lab {

inline Pauses after_looks(16);
inline Pauses before_writes(32);

inline constexpr char kStore[] = "WARNING: changed before a store\n";
inline constexpr char kExchange[] = "WARNING: changed before an exchange\n";

// An atomic load of this thread, since which it has not written to the object.
struct Look {
  const volatile void* object = nullptr;
  Stack stack{};
};

// The latest ones; others that fall to the same place are forgotten.
LAB_UNWATCHED inline Look& LookAt(const volatile void* object) {
  constexpr std::size_t kMost = 16;
  thread_local Look looks[kMost];
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  return looks[(address >> 3 ^ address >> 7) % kMost];
}

template <typename T>
LAB_UNWATCHED void PauseBeforeWrite(const volatile T* object, const void* frame, const char* said) {
  Look& look = LookAt(object);
  if (look.object != object) {
    if (LAB_IS_DUE(before_writes)) before_writes.Pause();
    return;
  }
  look.object = nullptr;
  if (!LAB_IS_DUE(after_looks)) return;
  const T before = __atomic_load_n(object, __ATOMIC_RELAXED);
  after_looks.Pause();
  // A compare-and-swap, about which nothing is said, fails then.
  if (said == nullptr || __atomic_load_n(object, __ATOMIC_RELAXED) == before) return;
  SayBetween(said, look.stack, CallersOf(frame));
}

}  // namespace lab

// Ends in ThreadSanitizer's own function, which so has our caller: its reports name that line.
// Weak: no such name where the linker is not told to wrap. By its address, which the compiler does
// not see through: aarch64 has no tail calls of weak functions.
#define LAB_WRAP(Result, name, parameters, before, ...)              \
  extern "C" __attribute__((weak)) Result __real_##name parameters;  \
  LAB_CALLED_BY_NAME LAB_UNWATCHED Result __wrap_##name parameters { \
    before;                                                          \
    auto* real = __real_##name;                                      \
    __asm__("" : "+r"(real));                                        \
    [[clang::musttail]] return real(__VA_ARGS__);                    \
  }

#define LAB_PAUSE(said)                                            \
  lab::PauseBeforeWrite(object, __builtin_frame_address(0), said); \
  lab::BeforeWrite(object)

#define LAB_PAUSE_AND_READ(said) \
  LAB_PAUSE(said);               \
  lab::BeforeRead(object)

#define LAB_WRAP_CHANGE(T, name)                                                                   \
  LAB_WRAP(T, name, (volatile T * object, T value, int order), LAB_PAUSE_AND_READ(lab::kExchange), \
           object, value, order)

#define LAB_WRAP_ALL(T, name)                                                                     \
  LAB_WRAP(T, name##_load, (const volatile T* object, int order),                                 \
           (lab::LookAt(object) = {object, lab::CallersOf(__builtin_frame_address(0))});          \
           lab::BeforeRead(object), object, order)                                                \
  LAB_WRAP(void, name##_store, (volatile T * object, T value, int order), LAB_PAUSE(lab::kStore), \
           object, value, order)                                                                  \
  LAB_WRAP_CHANGE(T, name##_exchange)                                                             \
  LAB_WRAP_CHANGE(T, name##_fetch_add)                                                            \
  LAB_WRAP_CHANGE(T, name##_fetch_sub)                                                            \
  LAB_WRAP_CHANGE(T, name##_fetch_and)                                                            \
  LAB_WRAP_CHANGE(T, name##_fetch_or)                                                             \
  LAB_WRAP_CHANGE(T, name##_fetch_xor)                                                            \
  LAB_WRAP(T, name##_compare_exchange_val,                                                        \
           (volatile T * object, T expected, T value, int order, int failure),                    \
           LAB_PAUSE_AND_READ(nullptr), object, expected, value, order, failure)

LAB_WRAP_ALL(std::uint8_t, __tsan_atomic8)
LAB_WRAP_ALL(std::uint16_t, __tsan_atomic16)
LAB_WRAP_ALL(std::uint32_t, __tsan_atomic32)
LAB_WRAP_ALL(std::uint64_t, __tsan_atomic64)
LAB_WRAP(void, __tsan_atomic_thread_fence, (int order), lab::Fence(order), order)
#endif
#endif
