// Atomic loads and stores, and operations with an order and a scope, for libcu++'s types.
#pragma once

#include "cudasim/atomics.h"

namespace cudasim {

#ifdef CUDASIM_CHECK

template <class T>
CUDASIM_UNSEEN T AtomicLoad(const T* address, unsigned order) {
  CheckAtomicLoad(address, sizeof(T), __builtin_return_address(0), order);
  return LoadUnseen(address);
}

template <class T>
CUDASIM_UNSEEN void AtomicStore(T* address, T value, unsigned order) {
  CheckAtomicStore(address, sizeof(T), __builtin_return_address(0), order);
  StoreUnseen(address, value);
}

CUDASIM_INLINE void HostFence(unsigned) {}

#else

template <class T>
CUDASIM_INLINE T AtomicLoad(const T* address, unsigned) {
  T value;
  __atomic_load(address, &value, __ATOMIC_SEQ_CST);
  return value;
}

template <class T>
CUDASIM_INLINE void AtomicStore(T* address, T value, unsigned) {
  __atomic_store(address, &value, __ATOMIC_SEQ_CST);
}

// The operations of atomics.h are relaxed.
CUDASIM_INLINE void HostFence(unsigned order) {
  if ((order & (kAcquires | kReleases)) != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif

// The operation on *address and `value`, as AtomicUpdate() does it.
template <class Op, class T>
CUDASIM_INLINE T OrderedUpdate(T* address, T value, unsigned order) {
  HostFence(order);
  const T old = AtomicUpdate<Op>(address, value, order);
  HostFence(order);
  return old;
}

template <class T>
CUDASIM_INLINE bool OrderedCompareExchange(T* address, T& expected, T desired, unsigned order) {
  HostFence(order);
  const T old = AtomicCompareAndSwap(address, expected, desired, order);
  HostFence(order);
  if (__builtin_memcmp(&old, &expected, sizeof(T)) == 0) return true;
  expected = old;
  return false;
}

}  // namespace cudasim
