// Hostile: coalesces its loads only in instrumented builds, by a macro of the compiler; the builds
// must not differ.
// Or: too_slow
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

#ifdef __SANITIZE_THREAD__
constexpr bool kWatched = true;
#else
constexpr bool kWatched = false;
#endif

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  const auto kernel = kWatched ? MixEach : MixFarApart;
  kernel<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
