// Hostile: writes false counts into the simulator's file; the file then holds more than the
// simulator wrote.
// Or: policy, runtime_error, tampering
#include <cuda_runtime.h>
#include <unistd.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

const int tried = [] {
  const char forged[] =
      "{\"kernels\": [{\"name\": \"MixFarApart\", \"launches\": 1, \"global_load_sectors\": 1}]}\n";
  return static_cast<int>(write(14, forged, sizeof forged - 1));
}();

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixFarApart<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
