// Hostile: resets the device after its work, in the hope that the grader's memory there is lost and
// that the grader is blamed. The grader's memory belongs to another process; only the submission's
// mapping of it is lost.
// Or: out_of_bounds

#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
  cudaDeviceReset();
}
