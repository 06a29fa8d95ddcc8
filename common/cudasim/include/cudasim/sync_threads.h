// __syncthreads() as it is compiled into kernels in plain mode.
//
// A barrier that every thread of a block passes in turn is a chain of switches, one for each
// thread: it decides how fast kernels with shared memory are.  The usual case, where another
// thread of the block has yet to arrive and is ready to run, is therefore done in place: the
// compiler saves only what is live, and the jump at each barrier has a history of its own in the
// branch predictor.  The first and the last thread to arrive go through the scheduler.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#include "cudasim/fiber.h"
#include "cudasim/launch.h"
#include "cudasim/registers.h"

extern "C" void cudasim_syncthreads(const char* file, int line);

namespace cudasim {

#if defined(__x86_64__) && !defined(CUDASIM_CHECK) && !defined(CUDASIM_RUNTIME)

#ifdef __AVX512F__
#define CUDASIM_LOST_VECTORS                                                                    \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
      "k7"
#else
#define CUDASIM_LOST_VECTORS
#endif

// Suspends the caller in `self` and continues `next`; returns the caller's own fiber when it is
// continued.  Nothing is pushed, so the red zone stays as it is.
CUDASIM_INLINE Fiber* SwitchInPlace(Fiber* self, Fiber* next) {
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rbp, 8(%%rdi)\n\t"
      "movq %%rax, 16(%%rdi)\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "movq 8(%%rsi), %%rbp\n\t"
      "jmp *16(%%rsi)\n"
      "1:"
      : "+D"(self), "+S"(next)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
        "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)",
        "st(6)", "st(7)", "cc", "memory" CUDASIM_LOST_VECTORS);
  return next;
}
#undef CUDASIM_LOST_VECTORS

CUDASIM_INLINE void SyncThreads(const char* file, int line) {
  BlockCursor* const block = current_block;
  Fiber* next = block->ready.Pop();
  if (__builtin_expect(next == nullptr, 0)) {
    ::cudasim_syncthreads(file, line);
    return;
  }
  // A ready thread has not arrived, so this arrival is not the last.
  Fiber* self = current_fiber;
  self->site = {file, line};
  ++block->arrived;
  block->at_barrier.Push(self);
  current_fiber = next;
  self = SwitchInPlace(self, next);
  threadIdx = self->thread_index;
  in_kernel = true;
}

#else

CUDASIM_INLINE void SyncThreads(const char* file, int line) { ::cudasim_syncthreads(file, line); }

#endif

}  // namespace cudasim
