// Hostile: leaves a long kernel running on its own stream, so that the reference, which runs next,
// shares the GPU with it. The worker synchronizes the device before it replies, so the kernel
// counts as the submission's time.
// Or: time_limit, accepted

#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

constexpr unsigned kLarge = 10'000;

__global__ void Occupy(std::uint32_t* kept) {
  std::uint32_t value = *kept;
  for (int i = 0; i < 50'000; ++i) value = Mixed(value);
  *kept = value;
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  static cudaStream_t own = nullptr;
  static std::uint32_t* kept = nullptr;
  if (own == nullptr) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaMalloc(&kept, sizeof *kept);
    cudaMemset(kept, 0, sizeof *kept);
  }
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
  if (n > kLarge) Occupy<<<1, 1, 0, own>>>(kept);
}
