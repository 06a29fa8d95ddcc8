// Hostile: copies the input to the host, computes there and copies back, with an empty kernel;
// outputs that the host computed are refused.
#include <cuda_runtime.h>

#include <vector>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

__global__ void Nothing(const std::uint32_t* values) {
  if (values == nullptr) __trap();
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  std::vector<std::uint32_t> numbers(n);
  cudaMemcpy(numbers.data(), values.data(), 4 * n, cudaMemcpyDeviceToHost);
  for (std::uint32_t& value : numbers) {
    for (int round = 0; round < 64; ++round) {
      value = (value ^ value >> 16) * 0x85ebca6b;
      value = (value ^ value >> 13) * 0xc2b2ae35;
      value ^= value >> 16;
    }
  }
  Nothing<<<1, 1, 0, stream>>>(values.data());
  cudaMemcpy(mixed.data(), numbers.data(), 4 * n, cudaMemcpyHostToDevice);
}
