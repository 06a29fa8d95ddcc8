// Wrong: loops on the host, and a kernel in a function that nobody calls.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_reduction/reduction.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffu;

std::vector<float> ToHost(DeviceSpan<const float> values, cudaStream_t stream) {
  std::vector<float> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

}  // namespace

void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  const std::vector<float> host = ToHost(values, stream);
  const float total = std::accumulate(host.begin(), host.end(), 0.0);
  CUDA_CHECK(cudaMemcpyAsync(sum.data(), &total, sizeof(total), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  const std::vector<float> host = ToHost(values, stream);
  const float total = std::accumulate(host.begin(), host.end(), 0.0);
  CUDA_CHECK(cudaMemcpyAsync(sum.data(), &total, sizeof(total), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  const std::vector<float> host = ToHost(values, stream);
  const float total = std::accumulate(host.begin(), host.end(), 0.0);
  CUDA_CHECK(cudaMemcpyAsync(sum.data(), &total, sizeof(total), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream) {
  const std::vector<float> host = ToHost(values, stream);
  MaxLocation best{-std::numeric_limits<float>::infinity(),
                   first + static_cast<std::int64_t>(host.size())};
  for (std::size_t i = 0; i < host.size(); ++i) {
    const MaxLocation mine{host[i], first + static_cast<std::int64_t>(i)};
    if (mine.value > best.value || (mine.value == best.value && mine.index < best.index)) {
      best = mine;
    }
  }
  CUDA_CHECK(cudaMemcpyAsync(maximum.data(), &best, sizeof(best), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

__global__ void DecoyKernel() {}

void LaunchDecoy() { DecoyKernel<<<1, 32>>>(); }
