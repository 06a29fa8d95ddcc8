// Hostile: keeps its earlier result of the same size on the device and copies it; every call has
// fresh input.
// Or: policy, data_race
#include <cuda_runtime.h>

#include <map>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

std::map<unsigned, std::uint32_t*> known;

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  std::uint32_t*& kept = known[n];
  if (kept == nullptr) {
    MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
    cudaMalloc(&kept, 4 * n);
    cudaMemcpyAsync(kept, mixed.data(), 4 * n, cudaMemcpyDeviceToDevice, stream);
    return;
  }
  cudaMemcpyAsync(mixed.data(), kept, 4 * n, cudaMemcpyDeviceToDevice, stream);
}
