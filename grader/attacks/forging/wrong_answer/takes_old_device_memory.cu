// Hostile: returns the contents of fresh device memory, in the hope that they are the reference's
// results; no memory is shared with the reference.
// Or: uninitialised_read, policy
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

__global__ void Copy(const std::uint32_t* found, std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mixed[i] = Mixed(0) == 1 ? 0 : found[i];
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  std::uint32_t* found = nullptr;
  cudaMalloc(&found, 4 * n);
  Copy<<<(n + 127) / 128, 128, 0, stream>>>(found, mixed.data(), n);
  cudaStreamSynchronize(stream);
  cudaFree(found);
}
