// The loop over a block's threads, compiled with each kernel.
#pragma once

#include <type_traits>

#include "cudasim/registers.h"
#include "cudasim/switch.h"

namespace cudasim {

// Runs the threads of the current block that have not started yet, on the calling stack.  In plain
// mode it goes on with the blocks that follow, until the scheduler drops the fiber.
using ThreadLoop = void (*)(const void* body);

// A thread of the current block returned after some thread had waited.
void ThreadReturnedLate();

// Instrumented code: the bookkeeping around each thread.
void BeginCheckedThread();
void EndCheckedThread();

#ifdef CUDASIM_CHECK

// Takes a kernel's arguments by value: the compiler knows that they are local to the call, and does
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
// outside of the kernel; the others by a cast, as the constructor that the compiler makes for the
// lambda is instrumented.
template <class Body>
CUDASIM_NOT_INSTRUMENTED void RunThreads(const void* body) {
  const Body& original = *static_cast<const Body*>(body);
  BlockCursor* block = current_block;
  while (block->next < block->threads) {
    if constexpr (std::is_trivially_copyable_v<Body>) {
      void (*volatile call)(Body) = CallBody<Body>;
      BeginCheckedThread();
      call(__builtin_bit_cast(Body, original));
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

// Runs threads that differ in threadIdx.x alone, until the row ends or some thread has waited.  A
// kernel that never waits runs only here: no switch, no bookkeeping per thread.
template <class Body>
CUDASIM_INLINE CUDASIM_UNCHECKED void RunRow(BlockCursor* block, const void* body) {
  const unsigned width = blockDim.x;
  const unsigned height = blockDim.y;
  unsigned next = block->next;
  const unsigned row = next / width;
  threadIdx = {next % width, row % height, row / height};
  current_fiber->thread_index = threadIdx;
  const unsigned end = next - threadIdx.x + width;
  // A signal may let other threads run (spinning.cc), which read and change the cursor in memory.
  volatile BlockCursor* const cursor = block;
  do {
    cursor->next = next + 1;
    {
      Body copy = *static_cast<const Body*>(body);
      copy();
    }
    if (__builtin_expect(cursor->blocked, 0)) {
      ThreadReturnedLate();
      return;
    }
    ++threadIdx.x;
  } while (++next < end);
}

template <class Body>
CUDASIM_UNCHECKED void RunThreads(const void* body) {
  for (;;) {
    BlockCursor* const block = current_block;
    while (block->next < block->threads) RunRow<Body>(block, body);
#if CUDASIM_SWITCHES_IN_PLACE
    WaitForThreads();
#else
    return;
#endif
  }
}

#endif

}  // namespace cudasim
