#pragma once

// CUDA_CHECK(call): every call of the CUDA runtime is checked.
//
//   CUDA_CHECK(cudaMalloc(&scratch, bytes));
//   Kernel<<<blocks, threads, 0, stream>>>(...);
//   CUDA_CHECK(cudaGetLastError());

#include <cuda_runtime.h>

#include <initializer_list>
#include <stdexcept>

// Evaluates `call` once; throws lab::CudaError unless it gives cudaSuccess. Host code only.
#define CUDA_CHECK(call) \
  ::lab::CheckCuda((call), __FILE__ ":" LAB_LITERAL(__LINE__) ": " #call ": ")
#define LAB_LITERAL(macro) LAB_LITERAL_OF(macro)
#define LAB_LITERAL_OF(text) #text

namespace lab {

// A CUDA call failed. what() is
// `error: CUDA call failed: <file>:<line>: <call>: <description> (<name>)`, cut after 1,500 bytes.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* what) : std::runtime_error(what), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

// Every .cu file compiles this for every mode: functions of std::string would take a quarter of
// that time.
inline void CheckCuda(cudaError_t code, const char* place) {
  if (code == cudaSuccess) return;
  char what[1500];
  char* end = what;
  for (const char* text : {"error: CUDA call failed: ", place, cudaGetErrorString(code), " (",
                           cudaGetErrorName(code), ")"}) {
    while (*text != '\0' && end < what + sizeof what - 1) *end++ = *text++;
  }
  *end = '\0';
  throw CudaError(code, what);
}

}  // namespace lab
