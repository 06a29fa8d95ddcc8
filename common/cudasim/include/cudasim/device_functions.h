// What kernels call that is neither arithmetic nor synchronisation: cached loads and stores,
// address spaces, traps, the clock, hints to the compiler.
#pragma once

#include "cudasim/vector_types.h"

extern "C" {

// Cycles of the device's clock (cudaDeviceProp::clockRate), of the host's time.  clock() on the
// device is the same; see redirect.h.
long long clock64();

// Ends the launch with cudaErrorLaunchFailure.
__attribute__((noreturn)) void cudasimTrap(const char* file, int line);

bool cudasimIsGlobal(const void* address);
bool cudasimIsShared(const void* address);
bool cudasimIsClusterShared(const void* address);
bool cudasimIsConstant(const void* address);
bool cudasimIsLocal(const void* address);

}  // extern "C"

#define __trap() ::cudasimTrap(__FILE__, __LINE__)

// No debugger or profiler listens.
CUDASIM_INLINE void __brkpt() {}
CUDASIM_INLINE void __prof_trigger(int) {}

CUDASIM_INLINE unsigned __isGlobal(const void* address) { return cudasimIsGlobal(address); }
CUDASIM_INLINE unsigned __isShared(const void* address) { return cudasimIsShared(address); }
CUDASIM_INLINE unsigned __isClusterShared(const void* address) {
  return cudasimIsClusterShared(address);
}
CUDASIM_INLINE unsigned __isConstant(const void* address) { return cudasimIsConstant(address); }
CUDASIM_INLINE unsigned __isLocal(const void* address) { return cudasimIsLocal(address); }

// Loads and stores with a hint to the cache, which has no effect here.
#define CUDASIM_LOAD(name)                  \
  template <class T>                        \
  CUDASIM_INLINE T name(const T* address) { \
    return *address;                        \
  }
CUDASIM_LOAD(__ldca)
CUDASIM_LOAD(__ldcg)
CUDASIM_LOAD(__ldcs)
CUDASIM_LOAD(__ldcv)
CUDASIM_LOAD(__ldlu)
#undef CUDASIM_LOAD

// Through the read-only cache, which does not see what the same launch writes.
template <class T>
CUDASIM_INLINE T __ldg(const T* address) {
#ifdef CUDASIM_CHECK
  ::cudasim::CheckReadOnly(address, sizeof(T));
#endif
  return *address;
}

#define CUDASIM_STORE(name)                       \
  template <class T>                              \
  CUDASIM_INLINE void name(T* address, T value) { \
    *address = value;                             \
  }
CUDASIM_STORE(__stwb)
CUDASIM_STORE(__stcg)
CUDASIM_STORE(__stcs)
CUDASIM_STORE(__stwt)
#undef CUDASIM_STORE

#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? void() : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)
