// Hostile: reserves as much of the L2 cache as it may and makes its inputs and outputs persist
// there, so that the next call finds them and the reference has less. Before each call persisting
// lines are reset and the data is written anew.

#include <cuda_runtime.h>

#include <algorithm>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

// Everything from the outputs on: the inputs lie behind them.
void Persist(void* begin, cudaStream_t stream) {
  int device = 0;
  int persisting = 0;
  int window = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&persisting, cudaDevAttrMaxPersistingL2CacheSize, device);
  cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, device);
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, persisting);
  cudaStreamAttrValue attribute{};
  attribute.accessPolicyWindow.base_ptr = begin;
  attribute.accessPolicyWindow.num_bytes = std::min(32 << 20, window);
  attribute.accessPolicyWindow.hitRatio = 1;
  attribute.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  attribute.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute);
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  Persist(mixed.data(), stream);
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
  cudaGetLastError();
}
