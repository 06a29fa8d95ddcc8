// The reference, and the honest submission: a thread for each element.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/attacked_cuda/mix.h"

namespace {

constexpr unsigned kThreads = 128;

__global__ void MixKernel(const std::uint32_t* values, std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  std::uint32_t value = values[i];
  for (int round = 0; round < 64; ++round) {
    value ^= value >> 16;
    value *= 0x85ebca6b;
    value ^= value >> 13;
    value *= 0xc2b2ae35;
    value ^= value >> 16;
  }
  mixed[i] = value;
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixKernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(values.data(), mixed.data(), n);
  CUDA_CHECK(cudaGetLastError());
}
