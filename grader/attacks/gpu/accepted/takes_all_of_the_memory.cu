// Hostile: takes all of the GPU's memory before it works, and keeps it, so that the reference or
// the grader gets none and nobody is judged. Then its process is ended, and if that sets most of
// the memory free, it was the cause.
// Or: memory_limit

#include <cuda_runtime.h>

#include <cstddef>

namespace {

const bool kTaken = [] {
  for (std::size_t bytes = std::size_t{1} << 36; bytes >= (1 << 20); bytes /= 2) {
    for (void* block = nullptr; cudaMalloc(&block, bytes) == cudaSuccess;) {
    }
    cudaGetLastError();
  }
  return true;
}();

}  // namespace
