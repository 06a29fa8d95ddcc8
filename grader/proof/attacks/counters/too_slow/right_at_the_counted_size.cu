// Hostile: coalesces its loads only at the size that it expects in the counted call; sizes are
// random.
// Or: policy
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  const auto kernel = n == 4096 ? MixEach : MixFarApart;
  kernel<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
