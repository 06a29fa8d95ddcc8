// Failure injection, on the side of the API's functions: see cudasim/fail_call.h.
#pragma once

#include <cstdint>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// Counts a call of the API that can fail.  The error with which it is to fail, recorded as the last
// one: `usual` unless another was asked for; cudaSuccess if it goes on.  Called once by each call.
// `call` is its name and lives as long as the program.
cudaError_t InjectedError(const char* call, cudaError_t usual = cudaErrorInvalidValue);

// The first statement of what several functions of the API that can fail have in common: the name
// of the one that was called and, if it is not the usual one, the error.
#define CUDASIM_MAY_FAIL_AS(...)                                          \
  if (const cudaError_t injected = ::cudasim::InjectedError(__VA_ARGS__); \
      __builtin_expect(injected != cudaSuccess, 0))                       \
  return injected

// The first statement of each other function of the API that can fail.
#define CUDASIM_MAY_FAIL(...) CUDASIM_MAY_FAIL_AS(__func__ __VA_OPT__(, ) __VA_ARGS__)

// The number of the call that cudasimFailCall() has made fail, also when what it left queued runs
// later; 0 if there is none since the latest cudasimFailCall() or cudasimBeginCall().
std::uint64_t CallMadeToFail();

// cudasimBeginCall(): calls count from 0 again; which one fails stays.
void ForgetCallsMade();

}  // namespace cudasim
