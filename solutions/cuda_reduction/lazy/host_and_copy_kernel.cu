// Lazy: the host computes; one kernel copies its result, and another one reads the input.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_reduction/reduction.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 128;

// Thread 0 hands over what the host has computed.
template <typename T>
__global__ void CopyKernel(const T* from, T* to) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *to = *from;
}

// Reads all values, as a sum would. No value is as small as that.
__global__ void ReadKernel(const float* values, std::size_t n, float* never) {
  float sum = 0;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += threads) {
    sum += values[i];
  }
  if (sum == 1e-44f) *never = sum;
}

std::vector<float> ToHost(DeviceSpan<const float> values, cudaStream_t stream) {
  std::vector<float> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

MaxLocation Nothing(std::size_t n, std::int64_t first) {
  return {-std::numeric_limits<float>::infinity(), first + static_cast<std::int64_t>(n)};
}

float SumOf(const float* values, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += values[i];
  return static_cast<float>(sum);
}

// `nothing` where there is no maximum.
MaxLocation MaximumOf(const float* values, std::size_t n, std::int64_t first, MaxLocation nothing) {
  MaxLocation best = nothing;
  bool found = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(values[i] > best.value || (!found && values[i] == best.value))) continue;
    best = {values[i], first + static_cast<std::int64_t>(i)};
    found = true;
  }
  return best;
}

// Memory from the stream's pool, given back however the function ends.
template <typename T>
class Scratch {
 public:
  Scratch(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, bytes, stream));
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  cudaStream_t stream_;
};

template <typename T>
void Finish(const T& result, DeviceSpan<const float> values, DeviceSpan<T> to,
            cudaStream_t stream) {
  const Scratch<T> scratch(sizeof(T), stream);
  CUDA_CHECK(cudaMemcpyAsync(scratch.data(), &result, sizeof(T), cudaMemcpyHostToDevice, stream));
  ReadKernel<<<kBlocks, kThreads, 0, stream>>>(values.data(), values.size(),
                                               reinterpret_cast<float*>(scratch.data()));
  CUDA_CHECK(cudaGetLastError());
  CopyKernel<<<kBlocks, kThreads, 0, stream>>>(scratch.data(), to.data());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  const std::vector<float> host = ToHost(values, stream);
  Finish(SumOf(host.data(), host.size()), values, sum, stream);
}

void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream) {
  const std::vector<float> host = ToHost(values, stream);
  const std::size_t n = host.size();
  Finish(MaximumOf(host.data(), n, first, Nothing(n, first)), values, maximum, stream);
}
