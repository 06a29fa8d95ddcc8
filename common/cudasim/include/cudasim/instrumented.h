// What instrumented code (check and profile mode) shares with its runtime.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#include "cudasim/vector_types.h"

// For functions of the simulator that touch memory on nobody's behalf.
#ifdef CUDASIM_CHECK
#define CUDASIM_UNSEEN __attribute__((noinline, no_sanitize_thread, no_sanitize_coverage))
#else
#define CUDASIM_UNSEEN CUDASIM_INLINE
#endif

namespace cudasim {

// As far as a GPU takes different time for them.
enum class AtomicKind : unsigned char {
  kAdd,        // integers, subtraction too
  kIncrement,  // adds 1
  kFloatAdd,   // float and double
  kExchange,
  kCompareAndSwap,
  kOther,  // min, max, and, or, xor, inc, dec
};

// Tells the instrumented runtime of one atomic access before it happens; `pc` is the caller's line.
// An operation that programs spin on lets other threads run now and then.
void CheckAtomic(void* address, unsigned bytes, const void* pc, AtomicKind kind);

}  // namespace cudasim
