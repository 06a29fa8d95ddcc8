// Atomic operations in the running block's own shared memory.
//
// All threads of a block run on one OS thread, so one instruction without the lock prefix is atomic
// enough; the lock is most of an instruction's cost.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cudasim/shared.h"

namespace cudasim {

#if defined(__x86_64__)

CUDASIM_INLINE bool IsOwnShared(const void* address) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(shared_arena);
  return offset < kArenaBytes;
}

template <class T>
CUDASIM_INLINE T AddUnlocked(T* address, T value) {
  asm volatile("xadd %0, %1" : "+r"(value), "+m"(*address) : : "cc");
  return value;
}

// For T of 2, 4 or 8 bytes.
template <class T>
CUDASIM_INLINE bool CompareExchangeUnlocked(T* address, T* expected, T desired) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  Bits old = __builtin_bit_cast(Bits, *expected);
  bool swapped;
  asm volatile("cmpxchg %[desired], %[memory]"
               : "=@ccz"(swapped), [memory] "+m"(*address), "+a"(old)
               : [desired] "r"(__builtin_bit_cast(Bits, desired)));
  *expected = __builtin_bit_cast(T, old);
  return swapped;
}

#else

CUDASIM_INLINE bool IsOwnShared(const void*) { return false; }

template <class T>
CUDASIM_INLINE T AddUnlocked(T* address, T value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

template <class T>
CUDASIM_INLINE bool CompareExchangeUnlocked(T* address, T* expected, T desired) {
  return __atomic_compare_exchange(address, expected, &desired, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}

#endif

}  // namespace cudasim
