// Failure injection, on the side of the API's functions: see cudasim/fail_call.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// Counts a call of the API that can fail.  The error with which it is to fail, recorded as the last
// one: `usual` unless another was asked for; cudaSuccess if it goes on.  Called once by each call.
cudaError_t InjectedError(cudaError_t usual = cudaErrorInvalidValue);

// The first statement of each function of the API, or of what several have in common, that can
// fail.
#define CUDASIM_MAY_FAIL(...)                                             \
  if (const cudaError_t injected = ::cudasim::InjectedError(__VA_ARGS__); \
      __builtin_expect(injected != cudaSuccess, 0))                       \
  return injected

// The number of the call that cudasimFailCall() has made fail, also when what it left queued runs
// later; 0 if there is none since the latest cudasimFailCall() or cudasimBeginCall().
std::uint64_t CallMadeToFail();

// cudasimBeginCall(): calls count from 0 again; which one fails stays.
void ForgetCallsMade();

// Events that exist.
std::size_t LiveEvents();

// Streams that exist, the default stream aside.
std::size_t LiveStreams();

}  // namespace cudasim
