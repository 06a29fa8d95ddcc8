// Hostile: traps if CUDASIM_PROFILE is not in the environment; the environment is the same in all
// phases.
#include <cuda_runtime.h>

#include <cstdlib>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

const bool kWatched = getenv(
                          "CUDASIM"
                          "_PROFILE") != nullptr;

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  if (!kWatched) __builtin_trap();
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
