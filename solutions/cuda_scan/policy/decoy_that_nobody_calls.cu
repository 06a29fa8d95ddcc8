// Wrong: loops on the host, and a kernel in a function that nobody calls.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

namespace {

template <typename T>
std::vector<T> Fetch(DeviceSpan<const T> data, cudaStream_t stream) {
  std::vector<T> copy(data.size());
  CUDA_CHECK(
      cudaMemcpyAsync(copy.data(), data.data(), data.size_bytes(), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return copy;
}

void Put(const std::vector<std::uint32_t>& sums, DeviceSpan<std::uint32_t> to,
         cudaStream_t stream) {
  CUDA_CHECK(
      cudaMemcpyAsync(to.data(), sums.data(), to.size_bytes(), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void Inclusive(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
               cudaStream_t stream) {
  std::vector<std::uint32_t> all = Fetch(values, stream);
  for (std::size_t i = 1; i < all.size(); ++i) all[i] += all[i - 1];
  Put(all, sums, stream);
}

void Exclusive(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
               cudaStream_t stream) {
  std::vector<std::uint32_t> all = Fetch(counts, stream);
  std::uint32_t sum = 0;
  for (std::uint32_t& value : all) {
    const std::uint32_t count = value;
    value = sum;
    sum += count;
  }
  Put(all, starts, stream);
}

}  // namespace

void InclusiveScanTile(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                       cudaStream_t stream) {
  Inclusive(values, sums, stream);
}

void ExclusiveScanTile(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                       cudaStream_t stream) {
  Exclusive(counts, starts, stream);
}

void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Exclusive(counts, starts, stream);
}

void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  std::vector<std::uint32_t> all = Fetch(values, stream);
  const std::vector<std::uint8_t> begins = Fetch(flags, stream);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (begins[i] == 0) all[i] += all[i - 1];
  }
  Put(all, sums, stream);
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Inclusive(values, sums, stream);
}

__global__ void DecoyKernel() {}

void LaunchDecoy() { DecoyKernel<<<1, 32>>>(); }
