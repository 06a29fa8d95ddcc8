// Hostile: launches a kernel that waits for ever for a word that is never written. The call's limit
// ends it, and the GPU serves the next submission as before.

#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"

namespace {

__global__ void Wait(volatile unsigned* word) {
  while (*word != 0x7ea12u) {
  }
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t>, DeviceSpan<std::uint32_t> mixed, cudaStream_t stream) {
  if (mixed.empty()) return;
  Wait<<<1, 32, 0, stream>>>(mixed.data());
}
