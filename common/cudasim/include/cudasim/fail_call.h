// Failure injection: makes a call of the CUDA runtime API fail, to see what the program does then.
// Needs no CUDA header.  Defined in the libraries of all modes.  Thread-safe.
//
// The calls that can fail are those that allocate, copy, fill, launch, synchronise, make or use
// streams and events, and ask about devices and kernels.  What frees, what tells of errors and what
// only formats text (cudaFree, cudaGetLastError, cudaGetErrorString) is not counted and never
// fails.
#pragma once

#include <cstdint>

extern "C" {

// The n-th of those calls from now on, by any thread, does nothing but fail with `error`, a
// cudaError_t, which becomes the last error and is not sticky.  0 as the error: one that fits the
// call, as cudaErrorMemoryAllocation.  n = 0: no call fails.  Either way the count begins anew, and
// the calling thread's last error is cudaSuccess again unless it is sticky.
void cudasimFailCall(std::uint64_t n, int error);

// Calls that could have failed since cudasimFailCall() or cudasimBeginCall().
std::uint64_t cudasimCallsMade();

// The name of the call that has failed so, as "cudaMalloc", or "a kernel launch" for one by <<<>>>;
// "" if there is none yet.  Lives as long as the program.
const char* cudasimCallMadeToFail();

// Allocations of device, managed and pinned memory and of arrays, streams and events that exist.
// Memory of cudaFreeAsync() counts until its stream has reached the call.
std::uint64_t cudasimLiveObjects();

// 1 after a kernel failed on the device: every later call fails with that sticky error.
int cudasimDeviceHasFailed();

}  // extern "C"
