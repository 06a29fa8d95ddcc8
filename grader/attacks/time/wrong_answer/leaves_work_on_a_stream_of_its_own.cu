// Hostile: works on a stream that nobody waits for, to return early; outputs are compared when the
// caller's stream is done.
// Or: data_race, accepted, policy
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"

namespace {

__device__ std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value = (value ^ value >> 16) * 0x85ebca6b;
    value = (value ^ value >> 13) * 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

__global__ void MixKernel(const std::uint32_t* values, std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mixed[i] = Mixed(values[i]);
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  MixKernel<<<(n + 127) / 128, 128, 0, own>>>(values.data(), mixed.data(), n);
  if (stream == own) cudaStreamSynchronize(own);
}
