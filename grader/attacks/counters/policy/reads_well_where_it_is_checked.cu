// Hostile: reads well in builds that instrument it, by a macro of the compiler's.
// Or: too_slow
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

#ifdef __SANITIZE_THREAD__
constexpr bool kWatched = true;
#else
constexpr bool kWatched = false;
#endif

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

__global__ void WellRead(const std::uint32_t* values, std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mixed[i] = Mixed(values[i]);
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  const auto kernel = kWatched ? WellRead : MixKernel;
  kernel<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
