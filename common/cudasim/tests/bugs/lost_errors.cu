// Programs that do not check for errors.  `lost_errors BUG` runs the bug of that name;
// lost_errors.txt holds the simulator's report.
#include <cuda_runtime.h>

#include <cstddef>

#include "common/cudasim/tests/bugs/bugs.h"

namespace {

constexpr std::size_t kTooMuch = std::size_t{1} << 50;

void OutOfMemoryUnseen() {
  void* memory = nullptr;
  cudaMalloc(&memory, kTooMuch);
}

void TheFirstLostErrorCounts() {
  void* memory = nullptr;
  if (memory == nullptr) cudaMalloc(&memory, kTooMuch);
  cudaSetDevice(7);
}

}  // namespace

int main(int argc, char** argv) {
  return RunBug(argc, argv, {BUG(OutOfMemoryUnseen), BUG(TheFirstLostErrorCounts)});
}
