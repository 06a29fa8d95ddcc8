// Appended to an attack that defines Count(): calls it in each thread.

#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

__global__ void MixKernel(const std::uint32_t* values, std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mixed[i] = Mixed(values[i]);
  Count();
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixKernel<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
