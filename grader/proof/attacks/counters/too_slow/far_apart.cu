// Hostile: reads far too many sectors; shows that the other attacks have something to hide.
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixFarApart<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
