// Hostile: has different code for nvcc and for the simulator, which alone detects races and counts.
// With a GPU, both must compile the same lines, or the submission is refused.
// Or: policy

#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
#ifdef __NVCC__
  cudaMemsetAsync(mixed.data(), 0, 4 * n, stream);
#endif
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
