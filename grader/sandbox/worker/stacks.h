#pragma once

namespace grader::worker {

// From now on every thread that gets wire::kStackSignal sends the checker its stack in the library
// that contains the address `inside`. Call it once.
void ReportStacks(const void* inside);

// Sends the checker the stack of this thread, which is in a signal handler.
void SendStack();

}  // namespace grader::worker
