// What this OS thread runs, and how a kernel's own code switches to another fiber in plain mode.
#pragma once

#include "cudasim/fiber.h"
#include "cudasim/registers.h"

// Whether kernels' code switches between fibers itself, without a call of the scheduler.
#if !defined(CUDASIM_CHECK) && !defined(CUDASIM_RUNTIME)
#define CUDASIM_SWITCHES_IN_PLACE 1
#else
#define CUDASIM_SWITCHES_IN_PLACE 0
#endif

namespace cudasim {

// The part of a block's state that kernels' own code keeps up to date; the scheduler owns the rest.
struct BlockCursor {
  unsigned threads;  // in the block
  unsigned next;     // linear index of the next thread to start
  unsigned live;     // threads that have not returned; exact only while `blocked`
  unsigned blocked;  // nonzero once some thread of the block has waited
  unsigned arrived;  // threads in at_barrier
  FiberQueue ready;
  FiberQueue at_barrier;
};

#define CUDASIM_LOCAL extern __thread __attribute__((tls_model("initial-exec")))
CUDASIM_LOCAL BlockCursor* current_block;
// The fiber, and with it the CUDA thread, that runs on this OS thread; null on the host.
CUDASIM_LOCAL Fiber* current_fiber;
// True while this OS thread runs the kernel's own code, not the simulator's.
CUDASIM_LOCAL bool in_kernel;
// Fibers of the running grid that are between two threads, suspended in ThreadLoop.
CUDASIM_LOCAL Fiber* idle_fibers;
// The suspended scheduler on this OS thread's own stack.
CUDASIM_LOCAL Context* scheduler_context;
#undef CUDASIM_LOCAL

#if CUDASIM_SWITCHES_IN_PLACE

// SwitchInPlace suspends the caller in `self` and continues `next`; returns the caller's own
// context when it is continued.  The compiler saves only what is live, and each inlined switch has
// its own history in the branch predictor.
#if defined(__x86_64__)

#ifdef __AVX512F__
#define CUDASIM_LOST_VECTORS                                                                    \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
      "k7"
#else
#define CUDASIM_LOST_VECTORS
#endif

// Nothing is pushed, so the red zone stays as it is.
CUDASIM_INLINE CUDASIM_UNCHECKED Context* SwitchInPlace(Context* self, Context* next) {
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

#else

CUDASIM_INLINE CUDASIM_UNCHECKED Context* SwitchInPlace(Context* self, Context* next) {
  register Context* from asm("x0") = self;
  register Context* to asm("x1") = next;
  asm volatile(
      "mov x9, sp\n\t"
      "adr x10, 1f\n\t"
      "stp x9, x29, [%0]\n\t"
      "str x10, [%0, #16]\n\t"
      "ldp x9, x29, [%1]\n\t"
      "ldr x16, [%1, #16]\n\t"
      "mov sp, x9\n\t"
      "br x16\n"
      "1:\n\t"
      "hint #36"  // bti j
      : "+r"(from), "+r"(to)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
        "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
        "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
        "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory");
  return to;
}

#endif

// Continues a thread of the current block; returns when the calling thread may go on.
CUDASIM_INLINE CUDASIM_UNCHECKED void SwitchToThread(Fiber* next) {
  Fiber* const self = current_fiber;
  current_fiber = next;
  Context* const context = SwitchInPlace(&self->context, &next->context);
  threadIdx = reinterpret_cast<Fiber*>(context)->thread_index;
  in_kernel = true;
}

// Puts the calling fiber into idle_fibers; returns when it is to start threads, of any block.
CUDASIM_INLINE CUDASIM_UNCHECKED void WaitForThreads() {
  Fiber* const self = current_fiber;
  self->next = idle_fibers;
  idle_fibers = self;
  Fiber* const next = current_block->ready.Pop();
  if (next != nullptr) {
    current_fiber = next;
    SwitchInPlace(&self->context, &next->context);
  } else {
    in_kernel = false;
    SwitchInPlace(&self->context, scheduler_context);
  }
  in_kernel = true;
}

#endif

}  // namespace cudasim
