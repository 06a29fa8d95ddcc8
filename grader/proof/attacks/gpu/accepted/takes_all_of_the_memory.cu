// Hostile: allocates all of the GPU's memory before it works, and keeps it, so that the reference
// or the grader gets none and the submission is not judged. Its process is then ended; if that
// frees most of the memory, the submission is blamed.
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
