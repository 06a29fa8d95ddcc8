#pragma once

// CUDA_CHECK(call): every call of the CUDA runtime is checked.
//
//   CUDA_CHECK(cudaMalloc(&scratch, bytes));
//   Kernel<<<blocks, threads, 0, stream>>>(...);
//   CUDA_CHECK(cudaGetLastError());

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

// Evaluates `call` once; throws lab::CudaError unless it gives cudaSuccess. Host code only.
#define CUDA_CHECK(call) ::lab::CheckCuda((call), #call, __FILE__, __LINE__)

namespace lab {

// A CUDA call failed. what() is
// `error: CUDA call failed: <file>:<line>: <call>: <description> (<name>)`.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& what) : std::runtime_error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void CheckCuda(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  throw CudaError(code, std::string("error: CUDA call failed: ") + file + ":" +
                            std::to_string(line) + ": " + call + ": " + cudaGetErrorString(code) +
                            " (" + cudaGetErrorName(code) + ")");
}

}  // namespace lab
