// Hostile: traps in builds that do not redirect memcpy; all builds are the same program.
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

#ifdef __builtin_memcpy
constexpr bool kWatched = true;
#else
constexpr bool kWatched = false;
#endif

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  if (!kWatched) __builtin_trap();
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
