// Hostile: works on a stream that the caller does not wait for, to return early; outputs are
// compared when the caller's stream is done.
// Or: data_race, accepted, policy
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  MixEach<<<(n + 127) / 128, 128, 0, own>>>(values.data(), mixed.data(), n);
  if (stream == own) cudaStreamSynchronize(own);
}
