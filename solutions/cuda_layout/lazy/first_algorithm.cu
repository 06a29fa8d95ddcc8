// Lazy: the first idea in all parts, a thread for each element and nothing but device memory; ranks
// are sums over doubled distances, a launch for each, and the sort splits by one bit at a time.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/cuda/check.h"
#include "labs/cuda_layout/layout.h"

namespace {

using std::uint32_t;

constexpr unsigned kThreads = 256;

unsigned Blocks(std::size_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

__device__ std::size_t GlobalThread() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__global__ void ToArraysKernel(const float* cells, std::size_t n, float* fields) {
  const std::size_t i = GlobalThread();
  if (i >= n) return;
  for (std::size_t f = 0; f < kCellFields; ++f) fields[f * n + i] = cells[i * kCellFields + f];
}

__global__ void ToStructsKernel(const float* fields, std::size_t n, float* cells) {
  const std::size_t i = GlobalThread();
  if (i >= n) return;
  for (std::size_t f = 0; f < kCellFields; ++f) cells[i * kCellFields + f] = fields[f * n + i];
}

__global__ void GatherKernel(const uint32_t* values, std::size_t n, const uint32_t* sources,
                             std::size_t m, uint32_t* out) {
  const std::size_t i = GlobalThread();
  if (i < m) out[i] = sources[i] < n ? values[sources[i]] : 0;
}

__global__ void ClaimKernel(const uint32_t* targets, std::size_t n, uint32_t* winners,
                            std::size_t m) {
  const std::size_t i = GlobalThread();
  if (i < n && targets[i] < m) atomicMax(&winners[targets[i]], static_cast<unsigned>(i) + 1);
}

__global__ void WinKernel(const uint32_t* values, const uint32_t* targets, std::size_t n,
                          const uint32_t* winners, std::size_t m, uint32_t* out) {
  const std::size_t i = GlobalThread();
  if (i < n && targets[i] < m && winners[targets[i]] == i + 1) out[targets[i]] = values[i];
}

__global__ void TransposeKernel(const float* in, float* out, std::size_t rows,
                                std::size_t columns) {
  const std::size_t i = GlobalThread();
  if (i < rows * columns) out[i % columns * rows + i / columns] = in[i];
}

__global__ void FlagsKernel(const std::uint8_t* flags, std::size_t n, uint32_t* ranks) {
  const std::size_t i = GlobalThread();
  if (i < n) ranks[i] = flags[i] != 0 ? 1 : 0;
}

__global__ void BitsKernel(const uint32_t* keys, std::size_t n, int bit, uint32_t* ranks) {
  const std::size_t i = GlobalThread();
  if (i < n) ranks[i] = 1 - (keys[i] >> bit & 1);
}

__global__ void AddKernel(const uint32_t* from, std::size_t n, std::size_t distance, uint32_t* to) {
  const std::size_t i = GlobalThread();
  if (i < n) to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

// The inclusive scan; returns where it is.
uint32_t* Scan(uint32_t* ranks, uint32_t* spare, std::size_t n, cudaStream_t stream) {
  for (std::size_t distance = 1; distance < n; distance *= 2) {
    AddKernel<<<Blocks(n), kThreads, 0, stream>>>(ranks, n, distance, spare);
    CUDA_CHECK(cudaGetLastError());
    std::swap(ranks, spare);
  }
  return ranks;
}

__global__ void KeepKernel(const uint32_t* values, const std::uint8_t* flags, std::size_t n,
                           const uint32_t* ranks, uint32_t* kept, uint32_t* count) {
  const std::size_t i = GlobalThread();
  if (i >= n) return;
  if (flags[i] != 0) kept[ranks[i] - 1] = values[i];
  if (i == n - 1) *count = ranks[i];
}

__global__ void MoveKernel(const uint32_t* keys, const uint32_t* payloads, std::size_t n, int bit,
                           const uint32_t* zeros, uint32_t* to_keys, uint32_t* to_payloads) {
  const std::size_t i = GlobalThread();
  if (i >= n) return;
  const bool is_one = (keys[i] >> bit & 1) != 0;
  const std::size_t place = is_one ? zeros[n - 1] + i - zeros[i] : zeros[i] - 1;
  to_keys[place] = keys[i];
  to_payloads[place] = payloads[i];
}

void Split(const uint32_t* keys, const uint32_t* payloads, std::size_t n, int bit,
           uint32_t* to_keys, uint32_t* to_payloads, uint32_t* ranks, cudaStream_t stream) {
  BitsKernel<<<Blocks(n), kThreads, 0, stream>>>(keys, n, bit, ranks);
  CUDA_CHECK(cudaGetLastError());
  const uint32_t* const zeros = Scan(ranks, ranks + n, n, stream);
  MoveKernel<<<Blocks(n), kThreads, 0, stream>>>(keys, payloads, n, bit, zeros, to_keys,
                                                 to_payloads);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream) {
  const std::size_t n = cells.size();
  if (n == 0) return;
  ToArraysKernel<<<Blocks(n), kThreads, 0, stream>>>(reinterpret_cast<const float*>(cells.data()),
                                                     n, fields.data());
  CUDA_CHECK(cudaGetLastError());
}

void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream) {
  const std::size_t n = cells.size();
  if (n == 0) return;
  ToStructsKernel<<<Blocks(n), kThreads, 0, stream>>>(fields.data(), n,
                                                      reinterpret_cast<float*>(cells.data()));
  CUDA_CHECK(cudaGetLastError());
}

void Gather(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> sources,
            DeviceSpan<uint32_t> out, cudaStream_t stream) {
  if (out.empty()) return;
  GatherKernel<<<Blocks(out.size()), kThreads, 0, stream>>>(values.data(), values.size(),
                                                            sources.data(), out.size(), out.data());
  CUDA_CHECK(cudaGetLastError());
}

void Scatter(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> targets,
             DeviceSpan<uint32_t> out, DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  const std::size_t n = values.size();
  const std::size_t m = out.size();
  if (n == 0 || m == 0) return;
  CUDA_CHECK(cudaMemsetAsync(workspace.data(), 0, m * sizeof(uint32_t), stream));
  ClaimKernel<<<Blocks(n), kThreads, 0, stream>>>(targets.data(), n, workspace.data(), m);
  CUDA_CHECK(cudaGetLastError());
  WinKernel<<<Blocks(n), kThreads, 0, stream>>>(values.data(), targets.data(), n, workspace.data(),
                                                m, out.data());
  CUDA_CHECK(cudaGetLastError());
}

void Transpose(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
               cudaStream_t stream) {
  if (in.empty()) return;
  TransposeKernel<<<Blocks(in.size()), kThreads, 0, stream>>>(in.data(), out.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

void TransposeSwizzled(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                       cudaStream_t stream) {
  if (in.empty()) return;
  TransposeKernel<<<Blocks(in.size()), kThreads, 0, stream>>>(in.data(), out.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

void Compact(DeviceSpan<const uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<uint32_t> kept, DeviceSpan<uint32_t> count, DeviceSpan<uint32_t> workspace,
             cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) {
    CUDA_CHECK(cudaMemsetAsync(count.data(), 0, sizeof(uint32_t), stream));
    return;
  }
  FlagsKernel<<<Blocks(n), kThreads, 0, stream>>>(flags.data(), n, workspace.data());
  CUDA_CHECK(cudaGetLastError());
  const uint32_t* const ranks = Scan(workspace.data(), workspace.data() + n, n, stream);
  KeepKernel<<<Blocks(n), kThreads, 0, stream>>>(values.data(), flags.data(), n, ranks, kept.data(),
                                                 count.data());
  CUDA_CHECK(cudaGetLastError());
}

void SplitByBit(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads, int bit,
                DeviceSpan<uint32_t> split_keys, DeviceSpan<uint32_t> split_payloads,
                DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  if (keys.empty()) return;
  Split(keys.data(), payloads.data(), keys.size(), bit, split_keys.data(), split_payloads.data(),
        workspace.data(), stream);
}

void RadixSort(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads,
               DeviceSpan<uint32_t> sorted_keys, DeviceSpan<uint32_t> sorted_payloads,
               DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  const std::size_t n = keys.size();
  if (n == 0) return;
  const uint32_t* from_keys = keys.data();
  const uint32_t* from_payloads = payloads.data();
  for (int bit = 0; bit < 32; ++bit) {
    uint32_t* const to_keys = bit % 2 == 0 ? workspace.data() : sorted_keys.data();
    uint32_t* const to_payloads = bit % 2 == 0 ? workspace.data() + n : sorted_payloads.data();
    Split(from_keys, from_payloads, n, bit, to_keys, to_payloads, workspace.data() + 2 * n, stream);
    from_keys = to_keys;
    from_payloads = to_payloads;
  }
}
