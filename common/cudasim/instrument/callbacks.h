// Defines the functions that the compiler's ThreadSanitizer instrumentation calls; the sanitizer's
// own runtime is not linked.
//
// One file of each instrumented mode includes this header, after it has defined the following
// functions, which are inlined because they run most often:
//
//   void OnAccess(const Access& access)      one scalar or vector, at most 16 bytes; may not return
//   void OnRange(char*, size_t, Operation, const void* pc)    any number of bytes, of memcpy
//   void OnStruct(char*, size_t, Operation, const void* pc)   a struct that is no vector
//   void OnAtomic(const Access& access, AtomicKind kind)      before the update happens
//   void OnWait(const Access& access)        the read of a wait for memory
//   void OnTexture(const char*, size_t bytes, const void* pc)  an element that a fetch reads
//   void OnResultUnused()                    of the thread's last atomic operation
//   Polls& RunningPolls()                    of the running thread of a kernel
//   void OnFunctionEntry(const void* return_address), OnFunctionExit()
//   void OnBasicBlock(const void* pc)        objects built with PROFILE_COPTS only
#pragma once

#include <math.h>  // sincos()

#include <cstdint>
#include <cstring>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/instrument/polling.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {
namespace {

inline __attribute__((always_inline)) void Note(void* address, unsigned bytes, Operation operation,
                                                const void* pc) {
  OnAccess({static_cast<char*>(address), bytes, operation, false, pc});
}

inline void NotePolledRead(const Access& access) {
  if (in_kernel) NotePoll(RunningPolls(), access);
  OnAccess(access);
}

inline void NoteVolatileRead(void* address, unsigned bytes, const void* pc) {
  NotePolledRead({static_cast<char*>(address), bytes, Operation::kRead, true, pc, 0, true});
}

inline void NoteVolatileWrite(void* address, unsigned bytes, const void* pc) {
  OnAccess({static_cast<char*>(address), bytes, Operation::kWrite, true, pc, 0, true});
}

// Of a memory_order of C++.
inline unsigned OrderOf(int order) {
  const bool acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME;
  const bool both = order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  return (acquires || both ? kAcquires : 0) | (order == __ATOMIC_RELEASE || both ? kReleases : 0);
}

}  // namespace

void CheckAtomic(void* address, unsigned bytes, const void* pc, AtomicKind kind, unsigned order,
                 const void* expected) {
  const bool replaces = kind == AtomicKind::kExchange || kind == AtomicKind::kCompareAndSwap;
  if (!replaces) order |= kCombines;
  const Access access{
      static_cast<char*>(address), bytes, Operation::kAtomic, true, pc, order, false, expected};
  if (in_kernel) NotePoll(RunningPolls(), access);
  OnAtomic(access, kind);
}

void CheckAtomicLoad(const void* address, unsigned bytes, const void* pc, unsigned order) {
  char* const at = static_cast<char*>(const_cast<void*>(address));
  NotePolledRead({at, bytes, Operation::kRead, true, pc, order & ~kReleases});
}

void CheckWait(const void* address, unsigned bytes, const void* pc, unsigned order) {
  char* const at = static_cast<char*>(const_cast<void*>(address));
  const Access access{at, bytes, Operation::kRead, true, pc, order & ~kReleases};
  if (in_kernel) NotePoll(RunningPolls(), access);
  OnWait(access);
}

void CheckPoll(const void* address, unsigned bytes, const void* pc) {
  char* const at = static_cast<char*>(const_cast<void*>(address));
  if (in_kernel) NotePoll(RunningPolls(), {at, bytes, Operation::kRead, true, pc});
}

void CheckAtomicStore(void* address, unsigned bytes, const void* pc, unsigned order) {
  OnAccess({static_cast<char*>(address), bytes, Operation::kWrite, true, pc, order & ~kAcquires});
}

void CheckReadOnly(const void* address, unsigned bytes) {
  if (!in_kernel) return;
  in_kernel = false;
  OnCachedRead(static_cast<const char*>(address), bytes, __builtin_return_address(0), true);
  in_kernel = true;
}

void ResultUnused() { OnResultUnused(); }

void OnTextureRead(const char* address, std::size_t bytes, const void* pc) {
  if (DeviceHeap::Contains(address)) {
    NoteKernelAccess(DeviceHeap::Offset(address), bytes, Operation::kRead);
  }
  OnTexture(address, bytes, pc);
}

}  // namespace cudasim

using cudasim::Note;
using cudasim::NoteVolatileRead;
using cudasim::NoteVolatileWrite;
using cudasim::Operation;

constexpr auto kCompareAndSwap = cudasim::AtomicKind::kCompareAndSwap;

#define CUDASIM_PC __builtin_return_address(0)

#define CUDASIM_ACCESSES(N)                                                               \
  void __tsan_read##N(void* a) { Note(a, N, Operation::kRead, CUDASIM_PC); }              \
  void __tsan_write##N(void* a) { Note(a, N, Operation::kWrite, CUDASIM_PC); }            \
  void __tsan_unaligned_read##N(void* a) { Note(a, N, Operation::kRead, CUDASIM_PC); }    \
  void __tsan_unaligned_write##N(void* a) { Note(a, N, Operation::kWrite, CUDASIM_PC); }  \
  void __tsan_volatile_read##N(void* a) { NoteVolatileRead(a, N, CUDASIM_PC); }           \
  void __tsan_volatile_write##N(void* a) { NoteVolatileWrite(a, N, CUDASIM_PC); }         \
  void __tsan_unaligned_volatile_read##N(void* a) { NoteVolatileRead(a, N, CUDASIM_PC); } \
  void __tsan_unaligned_volatile_write##N(void* a) { NoteVolatileWrite(a, N, CUDASIM_PC); }

// Atomic operations of the C++ language itself; CUDA's own come through CheckAtomic().
#define CUDASIM_ATOMIC_UPDATE(T, BITS, name, builtin, kind)                                   \
  T __tsan_atomic##BITS##_##name(volatile T* a, T v, int order) {                             \
    cudasim::CheckAtomic(const_cast<T*>(a), sizeof(T), CUDASIM_PC, cudasim::AtomicKind::kind, \
                         cudasim::OrderOf(order));                                            \
    return builtin(a, v, __ATOMIC_SEQ_CST);                                                   \
  }

#define CUDASIM_ATOMICS(T, BITS)                                                                   \
  T __tsan_atomic##BITS##_load(const volatile T* a, int order) {                                   \
    cudasim::CheckAtomicLoad(const_cast<T*>(a), sizeof(T), CUDASIM_PC, cudasim::OrderOf(order));   \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##BITS##_store(volatile T* a, T v, int order) {                                \
    cudasim::CheckAtomicStore(const_cast<T*>(a), sizeof(T), CUDASIM_PC, cudasim::OrderOf(order));  \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                \
  CUDASIM_ATOMIC_UPDATE(T, BITS, exchange, __atomic_exchange_n, kExchange)                         \
  CUDASIM_ATOMIC_UPDATE(T, BITS, fetch_add, __atomic_fetch_add, kAdd)                              \
  CUDASIM_ATOMIC_UPDATE(T, BITS, fetch_sub, __atomic_fetch_sub, kAdd)                              \
  CUDASIM_ATOMIC_UPDATE(T, BITS, fetch_and, __atomic_fetch_and, kCombine)                          \
  CUDASIM_ATOMIC_UPDATE(T, BITS, fetch_or, __atomic_fetch_or, kCombine)                            \
  CUDASIM_ATOMIC_UPDATE(T, BITS, fetch_xor, __atomic_fetch_xor, kCombine)                          \
  CUDASIM_ATOMIC_UPDATE(T, BITS, fetch_nand, __atomic_fetch_nand, kOther)                          \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* a, T* expected, T v, int order,    \
                                                    int) {                                         \
    cudasim::CheckAtomic(const_cast<T*>(a), sizeof(T), CUDASIM_PC, kCompareAndSwap,                \
                         cudasim::OrderOf(order), expected);                                       \
    return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* a, T* expected, T v, int order,      \
                                                  int) {                                           \
    cudasim::CheckAtomic(const_cast<T*>(a), sizeof(T), CUDASIM_PC, kCompareAndSwap,                \
                         cudasim::OrderOf(order), expected);                                       \
    return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T* a, T wanted, T v, int order, int) {     \
    cudasim::CheckAtomic(const_cast<T*>(a), sizeof(T), CUDASIM_PC, kCompareAndSwap,                \
                         cudasim::OrderOf(order), &wanted);                                        \
    __atomic_compare_exchange_n(a, &wanted, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
    return wanted;                                                                                 \
  }

#define CUDASIM_SECOND_RESULTS(T, f)                            \
  void cudasim_sincos##f(T x, T* sine, T* cosine) {             \
    Note(sine, sizeof(T), Operation::kWrite, CUDASIM_PC);       \
    Note(cosine, sizeof(T), Operation::kWrite, CUDASIM_PC);     \
    sincos##f(x, sine, cosine);                                 \
  }                                                             \
  T cudasim_frexp##f(T x, int* exponent) {                      \
    Note(exponent, sizeof(int), Operation::kWrite, CUDASIM_PC); \
    return frexp##f(x, exponent);                               \
  }                                                             \
  T cudasim_modf##f(T x, T* whole) {                            \
    Note(whole, sizeof(T), Operation::kWrite, CUDASIM_PC);      \
    return modf##f(x, whole);                                   \
  }                                                             \
  T cudasim_remquo##f(T x, T y, int* quotient) {                \
    Note(quotient, sizeof(int), Operation::kWrite, CUDASIM_PC); \
    return remquo##f(x, y, quotient);                           \
  }

extern "C" {

CUDASIM_ACCESSES(1)
CUDASIM_ACCESSES(2)
CUDASIM_ACCESSES(4)
CUDASIM_ACCESSES(8)
CUDASIM_ACCESSES(16)

CUDASIM_ATOMICS(std::uint8_t, 8)
CUDASIM_ATOMICS(std::uint16_t, 16)
CUDASIM_ATOMICS(std::uint32_t, 32)
CUDASIM_ATOMICS(std::uint64_t, 64)

void __tsan_init() {}
void __tsan_func_entry(void* return_address) { cudasim::OnFunctionEntry(return_address); }
void __tsan_func_exit() { cudasim::OnFunctionExit(); }
void __sanitizer_cov_trace_pc() { cudasim::OnBasicBlock(CUDASIM_PC); }
void __tsan_vptr_read(void** a) { Note(a, sizeof(*a), Operation::kRead, CUDASIM_PC); }
void __tsan_vptr_update(void** a, void*) { Note(a, sizeof(*a), Operation::kWrite, CUDASIM_PC); }
void __tsan_atomic_thread_fence(int) { cudasim_fence(0); }
void __tsan_atomic_signal_fence(int) {}

void __tsan_read_range(void* a, std::size_t bytes) {
  cudasim::OnStruct(static_cast<char*>(a), bytes, Operation::kRead, CUDASIM_PC);
}

void __tsan_write_range(void* a, std::size_t bytes) {
  cudasim::OnStruct(static_cast<char*>(a), bytes, Operation::kWrite, CUDASIM_PC);
}

// Instrumented code calls these instead of the C library's (cudasim/redirect.h).
void* cudasim_memcpy(void* to, const void* from, std::size_t bytes) {
  cudasim::OnRange(static_cast<char*>(const_cast<void*>(from)), bytes, Operation::kRead,
                   CUDASIM_PC);
  cudasim::OnRange(static_cast<char*>(to), bytes, Operation::kWrite, CUDASIM_PC);
  return std::memcpy(to, from, bytes);
}

void* cudasim_memmove(void* to, const void* from, std::size_t bytes) {
  cudasim::OnRange(static_cast<char*>(const_cast<void*>(from)), bytes, Operation::kRead,
                   CUDASIM_PC);
  cudasim::OnRange(static_cast<char*>(to), bytes, Operation::kWrite, CUDASIM_PC);
  return std::memmove(to, from, bytes);
}

void* cudasim_memset(void* to, int value, std::size_t bytes) {
  cudasim::OnRange(static_cast<char*>(to), bytes, Operation::kWrite, CUDASIM_PC);
  return std::memset(to, value, bytes);
}

CUDASIM_SECOND_RESULTS(double, )
CUDASIM_SECOND_RESULTS(float, f)
CUDASIM_SECOND_RESULTS(long double, l)

}  // extern "C"
