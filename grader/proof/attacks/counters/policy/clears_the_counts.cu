// Hostile: clears the simulator's counts after its work, the name cudasim pasted from two tokens;
// the simulator's names are not allowed.
// Or: too_slow, runtime_error
#include <cuda_runtime.h>

#include <vector>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

// clang-format off
#define PASTE(a, b) a##b
namespace PASTE(cuda, sim) {
  struct KernelProfile {
    char bytes[1];
  };
  __attribute__((weak)) std::vector<KernelProfile>& Profiles();
}
// clang-format on

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixFarApart<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
  auto* const profiles = &PASTE(cuda, sim)::Profiles;
  if (profiles != nullptr) profiles().clear();
}
