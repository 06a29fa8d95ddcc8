// Lazy: one block goes through the whole array, tile by tile, with the scan of part 1.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

namespace {

// One block of kTile threads. A step reads one buffer and writes the other.
__global__ void KoggeStoneKernel(const std::uint32_t* values, unsigned n, std::uint32_t* sums) {
  __shared__ std::uint32_t buffers[2][kTile];
  const unsigned t = threadIdx.x;
  std::uint32_t sum = t < n ? values[t] : 0;
  buffers[0][t] = sum;
  unsigned from = 0;
  for (unsigned distance = 1; distance < kTile; distance *= 2) {
    __syncthreads();
    if (t >= distance) sum += buffers[from][t - distance];
    from = 1 - from;
    buffers[from][t] = sum;
  }
  if (t < n) sums[t] = sum;
}

// Leaves gaps in shared memory, so that words which are a power of two apart lie in different
// banks.
__host__ __device__ constexpr unsigned Padded(unsigned i) { return i + i / 32 + i / 1024; }

// One block of kWideTile / 2 threads.
__global__ void BlellochKernel(const std::uint32_t* counts, unsigned n, std::uint32_t* starts) {
  constexpr unsigned kHalf = kWideTile / 2;
  __shared__ std::uint32_t sums[Padded(kWideTile)];
  const unsigned t = threadIdx.x;
  sums[Padded(t)] = t < n ? counts[t] : 0;
  sums[Padded(t + kHalf)] = t + kHalf < n ? counts[t + kHalf] : 0;
  for (unsigned width = 1; width <= kHalf; width *= 2) {
    __syncthreads();
    if (t >= kHalf / width) continue;
    const unsigned right = 2 * width * (t + 1) - 1;
    sums[Padded(right)] += sums[Padded(right - width)];
  }
  if (t == 0) sums[Padded(kWideTile - 1)] = 0;
  for (unsigned width = kHalf; width > 0; width /= 2) {
    __syncthreads();
    if (t >= kHalf / width) continue;
    const unsigned right = 2 * width * (t + 1) - 1;
    const std::uint32_t left_sum = sums[Padded(right - width)];
    const std::uint32_t before = sums[Padded(right)];
    sums[Padded(right - width)] = before;
    sums[Padded(right)] = before + left_sum;
  }
  __syncthreads();
  if (t < n) starts[t] = sums[Padded(t)];
  if (t + kHalf < n) starts[t + kHalf] = sums[Padded(t + kHalf)];
}

// One block of kTile threads goes through all values. Where `flags` is null there is one segment.
__global__ void LongKernel(const std::uint32_t* values, const std::uint8_t* flags, std::size_t n,
                           std::uint32_t* sums, bool exclusive) {
  __shared__ std::uint32_t partial[kTile];
  __shared__ bool starts[kTile];
  const unsigned t = threadIdx.x;
  std::uint32_t carry = 0;
  for (std::size_t first = 0; first < n; first += kTile) {
    const std::size_t i = first + t;
    const std::uint32_t value = i < n ? values[i] : 0;
    partial[t] = value;
    starts[t] = flags != nullptr && i < n && flags[i] != 0;
    for (unsigned distance = 1; distance < kTile; distance *= 2) {
      __syncthreads();
      const bool add = t >= distance && !starts[t];
      const std::uint32_t other = add ? partial[t - distance] : 0;
      const bool start = t >= distance && starts[t - distance];
      __syncthreads();
      partial[t] += other;
      starts[t] |= start;
    }
    if (!starts[t]) partial[t] += carry;
    if (i < n) sums[i] = exclusive ? partial[t] - value : partial[t];
    __syncthreads();
    carry = partial[kTile - 1];
    __syncthreads();
  }
}

void Scan(DeviceSpan<const std::uint32_t> values, const std::uint8_t* flags,
          DeviceSpan<std::uint32_t> sums, bool exclusive, cudaStream_t stream) {
  LongKernel<<<1, kTile, 0, stream>>>(values.data(), flags, values.size(), sums.data(), exclusive);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void InclusiveScanTile(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                       cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  KoggeStoneKernel<<<1, kTile, 0, stream>>>(values.data(), n, sums.data());
  CUDA_CHECK(cudaGetLastError());
}

void ExclusiveScanTile(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                       cudaStream_t stream) {
  const auto n = static_cast<unsigned>(counts.size());
  BlellochKernel<<<1, kWideTile / 2, 0, stream>>>(counts.data(), n, starts.data());
  CUDA_CHECK(cudaGetLastError());
}

void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Scan(counts, nullptr, starts, true, stream);
}

void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Scan(values, flags.data(), sums, false, stream);
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Scan(values, nullptr, sums, false, stream);
}
