// What the rewriter makes of `kernel<<<...>>>(...)` and of a kernel's body.
//
//   kernel<<<config>>>(arguments)   ->  (::cudasim::Configure("file", line, config),
//   kernel(arguments))
//   __global__ void kernel(...) {}  ->  void kernel(...) { ::cudasim::Enter({...}, [=]() mutable
//   {}); }
//
// so overload resolution, template deduction and conversions are those of C++ itself.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#include <cstddef>
#include <type_traits>

#include "cudasim/driver_types.h"
#include "cudasim/fiber.h"
#include "cudasim/registers.h"
#include "cudasim/vector_types.h"

namespace cudasim {

// Where a kernel is defined.  The strings live as long as the program.
struct KernelSource {
  const char* name;
  const char* file;
  int line;
};

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

extern __thread BlockCursor* current_block __attribute__((tls_model("initial-exec")));
// The fiber, and with it the CUDA thread, that runs on this OS thread; null on the host.
extern __thread Fiber* current_fiber __attribute__((tls_model("initial-exec")));
// True while this OS thread runs the kernel's own code, not the simulator's.
extern __thread bool in_kernel __attribute__((tls_model("initial-exec")));

// Runs the threads of the current block that have not started yet, on the calling stack.
using ThreadLoop = void (*)(const void* body);

// Remembers the configuration of the launch that the same expression makes next.
void Configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
               cudaStream_t stream = nullptr);

// Runs the configured grid to its end.  Errors go where CUDA puts them: cudaGetLastError().
void Launch(const KernelSource& source, const void* body, ThreadLoop loop);

// A thread of the current block returned after some thread had waited.
void ThreadReturnedLate();

// Instrumented code: the bookkeeping around each thread.
void BeginCheckedThread();
void EndCheckedThread();

#ifdef CUDASIM_CHECK

// A kernel's arguments as a parameter: the compiler knows that only this call sees them, and does
// not instrument their reads.
template <class Body>
void CallBody(Body body) {
  body();
}

template <class Body>
void CallBodyAt(Body* body) {
  (*body)();
}

// The calls through a volatile pointer keep the compiler from moving the kernel's accesses, or its
// reads of threadIdx, out of this loop.  Arguments with a copy constructor of their own are copied
// outside of the kernel.
template <class Body>
__attribute__((no_sanitize_thread, no_sanitize_coverage)) void RunThreads(const void* body) {
  const Body& original = *static_cast<const Body*>(body);
  BlockCursor* block = current_block;
  while (block->next < block->threads) {
    if constexpr (std::is_trivially_copyable_v<Body>) {
      void (*volatile call)(Body) = CallBody<Body>;
      BeginCheckedThread();
      call(original);
      EndCheckedThread();
    } else {
      void (*volatile call)(Body*) = CallBodyAt<Body>;
      Body copy = original;
      BeginCheckedThread();
      call(&copy);
      EndCheckedThread();
    }
  }
}

#else

// A kernel that never waits runs in the inner loop alone: no switch, no bookkeeping per thread.
template <class Body>
void RunThreads(const void* body) {
  BlockCursor* const block = current_block;
  const unsigned width = blockDim.x;
  const unsigned height = blockDim.y;
  while (block->next < block->threads) {
    unsigned next = block->next;
    const unsigned row = next / width;
    threadIdx = {next % width, row % height, row / height};
    current_fiber->thread_index = threadIdx;
    const unsigned row_end = next - threadIdx.x + width;
    do {
      block->next = next + 1;
      {
        Body copy = *static_cast<const Body*>(body);
        copy();
      }
      if (__builtin_expect(block->blocked, 0)) {
        ThreadReturnedLate();
        break;
      }
      ++threadIdx.x;
    } while (++next < row_end);
  }
}

#endif

template <class Body>
CUDASIM_INLINE void Enter(const KernelSource& source, Body body) {
  Launch(source, &body, RunThreads<Body>);
}

}  // namespace cudasim
