// Hostile: reads far too many sectors, so that the others are known to hide that.
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

// Neighbouring threads take elements that lie far apart: four times the sectors.
__global__ void MixKernel(const std::uint32_t* values, std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned rows = (n + 7) / 8;
  for (unsigned e = i; e < 8 * rows; e += gridDim.x * blockDim.x) {
    const unsigned place = e % 8 * rows + e / 8;
    if (place < n) mixed[place] = Mixed(values[place]);
  }
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixKernel<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
