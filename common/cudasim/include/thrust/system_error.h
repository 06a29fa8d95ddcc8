// thrust::system_error, which Thrust throws when a call of CUDA fails.
#pragma once

#include "../cuda_runtime.h"

#ifndef __CUDACC__
#error "cudasim: thrust in a host file is not simulated: compile it as CUDA (.cu, or -x cu)"
#endif

#include <string>
#include <system_error>

namespace thrust {

using std::error_category;
using std::error_code;
using std::system_error;

inline const error_category& cuda_category() {
  struct Category : error_category {
    const char* name() const noexcept override { return "cuda"; }
    std::string message(int error) const override {
      const auto code = static_cast<cudaError_t>(error);
      return std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code);
    }
  };
  static const Category category;
  return category;
}

namespace system {
using thrust::cuda_category;
using thrust::error_category;
using thrust::error_code;
using thrust::system_error;
}  // namespace system

namespace cuda_errors {

// Throws unless the call succeeded.  Clears the last error, as Thrust does.
CUDASIM_INLINE void Check(cudaError_t error, const char* what) {
  cudaGetLastError();
  if (error != cudaSuccess) throw system_error(error, cuda_category(), what);
}

}  // namespace cuda_errors
}  // namespace thrust
