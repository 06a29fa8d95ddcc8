// Failure injection: makes a call of the CUDA runtime API fail, to test how the program handles it.
// Needs no CUDA header.  Defined in the libraries of all modes.  Thread-safe.
//
// The calls that can fail are those that allocate, copy, fill, launch, synchronise, make or use
// streams and events, and ask about devices and kernels.  Functions that free memory, return errors
// or only format text (cudaFree, cudaGetLastError, cudaGetErrorString) are not counted and never
// fail.
#pragma once

#include <cstdint>

extern "C" {

// The n-th of those calls from now on, by any thread, does nothing but fail with `error`, a
// cudaError_t, which becomes the last error and is not sticky.  error = 0: one that fits the call,
// such as cudaErrorMemoryAllocation.  n = 0: no call fails.  Either way the count begins anew, and
// the calling thread's last error is cudaSuccess again unless it is sticky.
void simulatorFailCall(std::uint64_t n, int error);

// Calls that could have failed since simulatorFailCall() or simulatorBeginCall().
std::uint64_t simulatorCallsMade();

// The name of the call that was made to fail, such as "cudaMalloc", or "a kernel launch" for one by
// <<<>>>; "" if there is none yet.  Lives as long as the program.
const char* simulatorCallMadeToFail();

// The number of live allocations (device, managed and pinned memory, arrays), streams and events.
// Memory of cudaFreeAsync() counts until its stream has reached the call.
std::uint64_t simulatorLiveObjects();

// 1 after a kernel failed on the device: every later call fails with that sticky error.
int simulatorDeviceHasFailed();

}  // extern "C"
