// Lazy: Kogge-Stone for every part, on whole arrays with a launch for each distance.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

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

constexpr std::size_t kThreads = 256;

__device__ std::size_t ThreadOfGrid() { return blockIdx.x * kThreads + threadIdx.x; }

// A sum, and above it whether a segment begins within it.
constexpr std::uint64_t kFlag = std::uint64_t{1} << 32;

// Where `flags` is null there is one segment.
__global__ void LoadKernel(const std::uint32_t* values, const std::uint8_t* flags, std::size_t n,
                           std::uint64_t* pieces) {
  const std::size_t i = ThreadOfGrid();
  if (i >= n) return;
  pieces[i] = values[i] | (flags != nullptr && flags[i] != 0 ? kFlag : 0);
}

__global__ void StepKernel(const std::uint64_t* from, std::size_t n, std::size_t distance,
                           std::uint64_t* to) {
  const std::size_t i = ThreadOfGrid();
  if (i >= n) return;
  std::uint64_t piece = from[i];
  if (i >= distance && (piece & kFlag) == 0) {
    const std::uint64_t left = from[i - distance];
    piece = (left & kFlag) | static_cast<std::uint32_t>(left + piece);
  }
  to[i] = piece;
}

// `shift` is 1 for an exclusive scan, and 0 for an inclusive one.
__global__ void StoreKernel(const std::uint64_t* pieces, std::size_t n, unsigned shift,
                            std::uint32_t* sums) {
  const std::size_t i = ThreadOfGrid();
  if (i < n) sums[i] = i >= shift ? static_cast<std::uint32_t>(pieces[i - shift]) : 0;
}

// Device memory that is taken and given back in the order of the stream.
class Pieces {
 public:
  Pieces(std::size_t n, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, n * sizeof(std::uint64_t), stream));
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  ~Pieces() { cudaFreeAsync(data_, stream_); }
  std::uint64_t* data() const { return static_cast<std::uint64_t*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

void Scan(DeviceSpan<const std::uint32_t> values, const std::uint8_t* flags,
          DeviceSpan<std::uint32_t> sums, unsigned shift, cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  const Pieces one(n, stream);
  const Pieces other(n, stream);
  std::uint64_t* from = one.data();
  std::uint64_t* to = other.data();
  LoadKernel<<<blocks, kThreads, 0, stream>>>(values.data(), flags, n, from);
  CUDA_CHECK(cudaGetLastError());
  for (std::size_t distance = 1; distance < n; distance *= 2) {
    StepKernel<<<blocks, kThreads, 0, stream>>>(from, n, distance, to);
    CUDA_CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  StoreKernel<<<blocks, kThreads, 0, stream>>>(from, n, shift, sums.data());
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
  Scan(counts, nullptr, starts, 1, stream);
}

void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Scan(counts, nullptr, starts, 1, stream);
}

void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Scan(values, flags.data(), sums, 0, stream);
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  Scan(values, nullptr, sums, 0, stream);
}
