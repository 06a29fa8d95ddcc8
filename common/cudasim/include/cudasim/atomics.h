// Atomic operations on global and shared memory: relaxed, as in CUDA; fences are separate.
#pragma once

#include <type_traits>

#include "cudasim/instrumented.h"
#include "cudasim/shared_atomics.h"

namespace cudasim {

struct AtomicAddOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return static_cast<T>(old + value);
  }
};
struct AtomicSubOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return static_cast<T>(old - value);
  }
};
struct AtomicExchOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T, T value) {
    return value;
  }
};
struct AtomicMinOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return value < old ? value : old;
  }
};
struct AtomicMaxOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return old < value ? value : old;
  }
};
struct AtomicAndOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return old & value;
  }
};
struct AtomicOrOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return old | value;
  }
};
struct AtomicXorOp {
  template <class T>
  static CUDASIM_INLINE T Apply(T old, T value) {
    return old ^ value;
  }
};
struct AtomicIncOp {
  static CUDASIM_INLINE unsigned Apply(unsigned old, unsigned limit) {
    return old >= limit ? 0 : old + 1;
  }
};
struct AtomicDecOp {
  static CUDASIM_INLINE unsigned Apply(unsigned old, unsigned limit) {
    return old == 0 || old > limit ? limit : old - 1;
  }
};

#ifdef CUDASIM_CHECK

template <class Op, class T>
constexpr CUDASIM_INLINE AtomicKind KindOf([[maybe_unused]] T value) {
  if constexpr (requires { Op::kKind; }) return Op::kKind;
  if constexpr (std::is_same_v<Op, AtomicAddOp>) {
    if constexpr (!std::is_integral_v<T>) {
      return AtomicKind::kFloatAdd;  // half and pairs as well
    } else {
      return value == T{1} ? AtomicKind::kIncrement : AtomicKind::kAdd;
    }
  }
  if (std::is_same_v<Op, AtomicSubOp>) return AtomicKind::kAdd;
  if (std::is_same_v<Op, AtomicExchOp>) return AtomicKind::kExchange;
  const bool wraps = std::is_same_v<Op, AtomicIncOp> || std::is_same_v<Op, AtomicDecOp>;
  return wraps ? AtomicKind::kOther : AtomicKind::kCombine;
}

// One OS thread runs check mode, so the update itself may be plain.  It is not instrumented, as a
// class's copy assignment would be.
template <class T>
CUDASIM_INLINE T LoadUnseen(const T* address) {
  return __builtin_bit_cast(T, *address);
}

template <class T>
CUDASIM_INLINE void StoreUnseen(T* address, const T& value) {
  (__builtin_memcpy)(address, &value, sizeof(T));  // the builtin itself, not redirect.h's macro
}

template <class Op, class T>
constexpr CUDASIM_INLINE unsigned CountOf([[maybe_unused]] T value) {
  if constexpr (std::is_same_v<Op, AtomicIncOp> || std::is_same_v<Op, AtomicDecOp>) return kCounts;
  if constexpr (std::is_arithmetic_v<T> &&
                (std::is_same_v<Op, AtomicAddOp> || std::is_same_v<Op, AtomicSubOp>)) {
    if (value == T{0}) return kLooks;
    return std::is_integral_v<T> && value == T{1} ? kCounts : 0;
  }
  if constexpr (std::is_same_v<Op, AtomicOrOp> || std::is_same_v<Op, AtomicXorOp>) {
    return value == T{0} ? kLooks : 0;
  }
  return 0;
}

template <class Op, class T>
CUDASIM_UNSEEN T AtomicUpdate(T* address, T value, unsigned order = 0) {
  CheckAtomic(address, sizeof(T), __builtin_return_address(0), KindOf<Op>(value),
              order | CountOf<Op>(value));
  const T old = LoadUnseen(address);
  StoreUnseen(address, Op::Apply(old, value));
  return old;
}

template <class T>
CUDASIM_UNSEEN T AtomicCompareAndSwap(T* address, T expected, T desired, unsigned order = 0) {
  CheckAtomic(address, sizeof(T), __builtin_return_address(0), AtomicKind::kCompareAndSwap, order,
              &expected);
  const T old = LoadUnseen(address);
  if (__builtin_memcmp(&old, &expected, sizeof(T)) == 0) StoreUnseen(address, desired);
  return old;
}

#else

// If *address is *expected makes it `desired`, else stores it in *expected.
template <class T>
CUDASIM_INLINE bool CompareExchange(T* address, T* expected, T desired) {
  if (IsOwnShared(address)) return CompareExchangeUnlocked(address, expected, desired);
  return __atomic_compare_exchange(address, expected, &desired, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}

template <class Op, class T>
CUDASIM_INLINE T AtomicUpdate(T* address, T value, unsigned = 0) {
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  while (!CompareExchange(address, &old, Op::Apply(old, value))) continue;
  return old;
}

template <class Op, class T>
requires std::is_same_v<Op, AtomicAddOp> && std::is_integral_v<T> CUDASIM_INLINE T
AtomicUpdate(T* address, T value, unsigned = 0) {
  if (IsOwnShared(address)) return AddUnlocked(address, value);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

template <class T>
CUDASIM_INLINE T AtomicCompareAndSwap(T* address, T expected, T desired, unsigned = 0) {
  CompareExchange(address, &expected, desired);
  return expected;
}

#endif

}  // namespace cudasim

// Each operation also exists with the scopes _block and _system.  The device is the whole system.
#define CUDASIM_ATOMIC(Name, T)                                                          \
  CUDASIM_INLINE T atomic##Name(T* address, T value) {                                   \
    return ::cudasim::AtomicUpdate<::cudasim::Atomic##Name##Op>(address, value);         \
  }                                                                                      \
  CUDASIM_INLINE T atomic##Name##_block(T* address, T value) {                           \
    return ::cudasim::AtomicUpdate<::cudasim::Atomic##Name##Op>(address, value,          \
                                                                ::cudasim::kBlockScope); \
  }                                                                                      \
  CUDASIM_INLINE T atomic##Name##_system(T* address, T value) {                          \
    return ::cudasim::AtomicUpdate<::cudasim::Atomic##Name##Op>(address, value);         \
  }

#define CUDASIM_ATOMICS(T) \
  CUDASIM_ATOMIC(Exch, T)  \
  CUDASIM_ATOMIC(Min, T)   \
  CUDASIM_ATOMIC(Max, T)   \
  CUDASIM_ATOMIC(And, T)   \
  CUDASIM_ATOMIC(Or, T)    \
  CUDASIM_ATOMIC(Xor, T)

CUDASIM_ATOMICS(int)
CUDASIM_ATOMICS(unsigned)
CUDASIM_ATOMICS(unsigned long long)
CUDASIM_ATOMIC(Min, long long)
CUDASIM_ATOMIC(Max, long long)
CUDASIM_ATOMIC(And, long long)
CUDASIM_ATOMIC(Or, long long)
CUDASIM_ATOMIC(Xor, long long)
CUDASIM_ATOMIC(Exch, float)
CUDASIM_ATOMIC(Add, int)
CUDASIM_ATOMIC(Add, unsigned)
CUDASIM_ATOMIC(Add, unsigned long long)
CUDASIM_ATOMIC(Add, float)
CUDASIM_ATOMIC(Add, double)
CUDASIM_ATOMIC(Sub, int)
CUDASIM_ATOMIC(Sub, unsigned)
CUDASIM_ATOMIC(Inc, unsigned)
CUDASIM_ATOMIC(Dec, unsigned)
#undef CUDASIM_ATOMICS
#undef CUDASIM_ATOMIC

#define CUDASIM_ATOMIC_CAS(T)                                                                   \
  CUDASIM_INLINE T atomicCAS(T* address, T expected, T desired) {                               \
    return ::cudasim::AtomicCompareAndSwap(address, expected, desired);                         \
  }                                                                                             \
  CUDASIM_INLINE T atomicCAS_block(T* address, T expected, T desired) {                         \
    return ::cudasim::AtomicCompareAndSwap(address, expected, desired, ::cudasim::kBlockScope); \
  }                                                                                             \
  CUDASIM_INLINE T atomicCAS_system(T* address, T expected, T desired) {                        \
    return ::cudasim::AtomicCompareAndSwap(address, expected, desired);                         \
  }

CUDASIM_ATOMIC_CAS(int)
CUDASIM_ATOMIC_CAS(unsigned)
CUDASIM_ATOMIC_CAS(unsigned long long)
CUDASIM_ATOMIC_CAS(unsigned short)
#undef CUDASIM_ATOMIC_CAS
