// The registers of code that a signal has interrupted, by processor.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace cudasim {

// The address of the interrupted instruction.
const void* ProgramCounter(const ucontext_t& context);

// Where a function returns to whose first instruction was interrupted.
const void* ReturnAddress(const ucontext_t& context);

// Whether the instruction that faulted writes to memory.
bool WasWrite(const ucontext_t& context);

// When the signal handler returns, `next` runs as if called, with its stack below `stack`, a
// multiple of 16.
void ContinueAt(ucontext_t* context, void (*next)(), std::uintptr_t stack);

}  // namespace cudasim
