// Programs that do not check for errors.
#include <cuda_runtime.h>

#include <cstddef>

#include "common/cudasim/tests/programs.h"

namespace lost_errors {

constexpr std::size_t kTooMuch = std::size_t{1} << 50;

PROGRAM(OutOfMemoryUnseen) {
  void* memory = nullptr;
  cudaMalloc(&memory, kTooMuch);
}

PROGRAM(TheFirstLostErrorCounts) {
  void* memory = nullptr;
  if (memory == nullptr) cudaMalloc(&memory, kTooMuch);
  cudaSetDevice(7);
}

}  // namespace lost_errors
