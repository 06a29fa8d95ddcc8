// Lazy: a single thread finds all co-ranks and merges everything.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_merge/merge.h"

namespace {

__host__ __device__ std::int32_t KeyOf(std::int32_t item) { return item >> kTagBits; }

// How many of the first k merged items come from a, which has m items; b has n.
__host__ __device__ std::size_t CoRank(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                                       std::size_t n, std::size_t k) {
  std::size_t low = k > n ? k - n : 0;
  std::size_t high = k < m ? k : m;
  while (low < high) {
    const std::size_t i = (low + high) / 2;
    if (KeyOf(a[i]) <= KeyOf(b[k - i - 1])) {
      low = i + 1;
    } else {
      high = i;
    }
  }
  return low;
}

// Writes merged items k up to k_end.
__host__ __device__ void Merge(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                               std::size_t n, std::int32_t* merged, std::size_t k,
                               std::size_t k_end) {
  std::size_t i = CoRank(a, m, b, n, k);
  for (; k < k_end; ++k) {
    const std::size_t j = k - i;
    const bool from_a = j >= n || (i < m && KeyOf(a[i]) <= KeyOf(b[j]));
    merged[k] = from_a ? a[i++] : b[j];
  }
}

__global__ void CoRanksKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                              std::size_t n, const std::uint64_t* ks, std::size_t count,
                              std::uint64_t* ranks) {
  for (std::size_t t = 0; t < count; ++t) ranks[t] = CoRank(a, m, b, n, ks[t]);
}

__global__ void MergeKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                            std::size_t n, std::int32_t* merged) {
  Merge(a, m, b, n, merged, 0, m + n);
}

}  // namespace

void CoRanks(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
             DeviceSpan<const std::uint64_t> ks, DeviceSpan<std::uint64_t> ranks,
             cudaStream_t stream) {
  CoRanksKernel<<<1, 1, 0, stream>>>(a.data(), a.size(), b.data(), b.size(), ks.data(), ks.size(),
                                     ranks.data());
  CUDA_CHECK(cudaGetLastError());
}

void MergeRanges(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                 DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  MergeKernel<<<1, 1, 0, stream>>>(a.data(), a.size(), b.data(), b.size(), merged.data());
  CUDA_CHECK(cudaGetLastError());
}

void MergeTiles(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  MergeRanges(a, b, merged, stream);
}

void MergeRing(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
               DeviceSpan<std::int32_t> merged, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  MergeRanges(a, b, merged, stream);
}
