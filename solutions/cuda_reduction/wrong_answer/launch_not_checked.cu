// Wrong: nobody asks whether the launch failed, and the sum is 0 then.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/cuda/check.h"
#include "labs/cuda_reduction/reduction.h"

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr unsigned kWarp = 32;
constexpr unsigned kTreeThreads = kTile / 2;
constexpr unsigned kThreads = 512;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr std::size_t kValuesPerThread = 16;
constexpr int kBlocksPerMultiprocessor = 4;  // of 512 threads: all that can be resident

// Each block adds up its tile. *sum is 0 before.
__global__ void TreeKernel(const float* values, std::size_t n, float* sum) {
  __shared__ float partial[kTreeThreads];
  const unsigned t = threadIdx.x;
  const std::size_t i = blockIdx.x * kTile + t;
  partial[t] = (i < n ? values[i] : 0) + (i + kTreeThreads < n ? values[i + kTreeThreads] : 0);
  for (unsigned stride = kTreeThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[t] += partial[t + stride];
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

__device__ float WarpSum(float value) {
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(kAllLanes, value, offset);
  }
  return value;
}

// The sum of vector i, 0 where there is none.
__device__ float VectorSum(const float4* vectors, std::size_t i, std::size_t count) {
  const float4 four = i < count ? vectors[i] : float4{0, 0, 0, 0};
  return (four.x + four.y) + (four.z + four.w);
}

// What one thread of the whole grid adds up.
__device__ float ThreadSum(const float* values, std::size_t n) {
  const auto* const vectors = reinterpret_cast<const float4*>(values);
  const std::size_t count = n / 4;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const std::size_t me = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  float sum = me < n % 4 ? values[4 * count + me] : 0;
  for (std::size_t i = me; i < count; i += 4 * threads) {
    // Four loads are under way before the first one is needed.
    const float a = VectorSum(vectors, i, count);
    const float b = VectorSum(vectors, i + threads, count);
    const float c = VectorSum(vectors, i + 2 * threads, count);
    const float d = VectorSum(vectors, i + 3 * threads, count);
    sum += (a + b) + (c + d);
  }
  return sum;
}

// *sum is 0 before.
__global__ void CoarsenedKernel(const float* values, std::size_t n, float* sum) {
  __shared__ float warps[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  const float mine = WarpSum(ThreadSum(values, n));
  if (lane == 0) warps[warp] = mine;
  __syncthreads();
  if (warp > 0) return;
  const float total = WarpSum(lane < kWarps ? warps[lane] : 0);
  if (lane == 0) atomicAdd(sum, total);
}

// The larger one; of equals the one that stands first. False for a NaN.
__device__ bool IsBetter(const MaxLocation& a, const MaxLocation& b) {
  return a.value > b.value || (a.value == b.value && a.index < b.index);
}

__device__ void Take(const MaxLocation& candidate, MaxLocation& best) {
  if (IsBetter(candidate, best)) best = candidate;
}

__device__ MaxLocation WarpMaximum(MaxLocation best) {
  for (unsigned apart = kWarp / 2; apart > 0; apart /= 2) {
    const float value = __shfl_down_sync(kAllLanes, best.value, apart);
    Take({value, __shfl_down_sync(kAllLanes, best.index, apart)}, best);
  }
  return best;
}

// The best of the block's threads, in thread 0. `nothing` loses against every value.
__device__ MaxLocation BlockMaximum(MaxLocation best, const MaxLocation& nothing) {
  __shared__ MaxLocation warps[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  best = WarpMaximum(best);
  if (lane == 0) warps[warp] = best;
  __syncthreads();
  if (warp > 0) return nothing;
  best = nothing;
  if (lane < kWarps) best = warps[lane];
  return WarpMaximum(best);
}

// What one thread of the whole grid finds in values[0], values[1], ..., which stand from `first`
// on.
__device__ MaxLocation ThreadMaximum(const float* values, std::size_t n, std::int64_t first,
                                     MaxLocation best) {
  const auto* const vectors = reinterpret_cast<const float4*>(values);
  const std::size_t count = n / 4;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const std::size_t me = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  for (std::size_t i = me; i < count; i += threads) {
    const float4 four = vectors[i];
    const auto index = first + static_cast<std::int64_t>(4 * i);
    Take({four.x, index}, best);
    Take({four.y, index + 1}, best);
    Take({four.z, index + 2}, best);
    Take({four.w, index + 3}, best);
  }
  const std::size_t rest = 4 * count + me;
  if (rest < n) Take({values[rest], first + static_cast<std::int64_t>(rest)}, best);
  return best;
}

__global__ void MaximumKernel(const float* values, std::size_t n, std::int64_t first,
                              MaxLocation nothing, MaxLocation* maxima) {
  const MaxLocation best = BlockMaximum(ThreadMaximum(values, n, first, nothing), nothing);
  if (threadIdx.x == 0) maxima[blockIdx.x] = best;
}

// One block.
__global__ void CombineKernel(const MaxLocation* maxima, unsigned count, MaxLocation nothing,
                              MaxLocation* maximum) {
  MaxLocation best = nothing;
  for (unsigned i = threadIdx.x; i < count; i += kThreads) Take(maxima[i], best);
  best = BlockMaximum(best, nothing);
  if (threadIdx.x == 0) *maximum = best;
}

// As many blocks as the device can hold, or fewer where a thread would have little to do.
unsigned CoarsenedBlocks(std::size_t n) {
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t wanted = n / (kThreads * kValuesPerThread) + 1;
  return static_cast<unsigned>(
      std::min<std::size_t>(wanted, kBlocksPerMultiprocessor * multiprocessors));
}

// Device memory that is taken and given back in the order of the stream.
class Scratch {
 public:
  Scratch(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, bytes, stream));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }

  MaxLocation* data() const { return static_cast<MaxLocation*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace

void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sizeof(float), stream));
  const std::size_t n = values.size();
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + kTile - 1) / kTile);
  TreeKernel<<<blocks, kTreeThreads, 0, stream>>>(values.data(), n, sum.data());
}

void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sizeof(float), stream));
  const std::size_t n = values.size();
  CoarsenedKernel<<<CoarsenedBlocks(n), kThreads, 0, stream>>>(values.data(), n, sum.data());
  CUDA_CHECK(cudaGetLastError());
}

void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream) {
  const std::size_t n = values.size();
  const unsigned blocks = CoarsenedBlocks(n);
  const MaxLocation nothing{-std::numeric_limits<float>::infinity(),
                            first + static_cast<std::int64_t>(n)};
  const Scratch maxima(blocks * sizeof(MaxLocation), stream);
  MaximumKernel<<<blocks, kThreads, 0, stream>>>(values.data(), n, first, nothing, maxima.data());
  CUDA_CHECK(cudaGetLastError());
  CombineKernel<<<1, kThreads, 0, stream>>>(maxima.data(), blocks, nothing, maximum.data());
  CUDA_CHECK(cudaGetLastError());
}
