// Failure injection as the API's functions use it: see cudasim/fail_call.h.
#pragma once

#include <cstdint>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// Counts an API call that can fail.  Returns the error with which it must fail, recorded as the
// last error: `usual` unless simulatorFailCall() set another; cudaSuccess if it is to go on. Called
// once by each call.  `call` is its name and lives as long as the program.
cudaError_t InjectedError(const char* call, cudaError_t usual = cudaErrorInvalidValue);

// The first statement of a function that several API functions share, with the name of the one that
// was called and, if it is not the usual one, the error.
#define CUDASIM_MAY_FAIL_AS(...)                                          \
  if (const cudaError_t injected = ::cudasim::InjectedError(__VA_ARGS__); \
      __builtin_expect(injected != cudaSuccess, 0))                       \
  return injected

// The first statement of each other API function that can fail.
#define CUDASIM_MAY_FAIL(...) CUDASIM_MAY_FAIL_AS(__func__ __VA_OPT__(, ) __VA_ARGS__)

// The number of the call that simulatorFailCall() has made fail; it stays while queued work runs
// later. 0 if there is none since the latest simulatorFailCall() or simulatorBeginCall().
std::uint64_t CallMadeToFail();

// simulatorBeginCall(): calls are counted from 0 again; the number of the one to fail stays.
void ForgetCallsMade();

}  // namespace cudasim
