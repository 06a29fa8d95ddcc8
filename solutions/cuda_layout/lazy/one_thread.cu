// Lazy: one thread moves everything, in loops; the sort goes through the bits one by one.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_layout/layout.h"

namespace {

using std::uint32_t;

constexpr unsigned kThreads = 1;

__global__ void ToArraysKernel(const float* cells, std::size_t n, float* fields) {
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) {
    for (std::size_t f = 0; f < kCellFields; ++f) fields[f * n + i] = cells[i * kCellFields + f];
  }
}

__global__ void ToStructsKernel(const float* fields, std::size_t n, float* cells) {
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) {
    for (std::size_t f = 0; f < kCellFields; ++f) cells[i * kCellFields + f] = fields[f * n + i];
  }
}

__global__ void GatherKernel(const uint32_t* values, std::size_t n, const uint32_t* sources,
                             std::size_t m, uint32_t* out) {
  for (std::size_t i = threadIdx.x; i < m; i += kThreads)
    out[i] = sources[i] < n ? values[sources[i]] : 0;
}

__global__ void ScatterKernel(const uint32_t* values, std::size_t n, const uint32_t* targets,
                              std::size_t m, uint32_t* out, uint32_t* winners) {
  for (std::size_t t = threadIdx.x; t < m; t += kThreads) winners[t] = 0;
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) {
    if (targets[i] < m) atomicMax(&winners[targets[i]], static_cast<unsigned>(i) + 1);
  }
  __syncthreads();
  for (std::size_t t = threadIdx.x; t < m; t += kThreads) {
    if (winners[t] > 0) out[t] = values[winners[t] - 1];
  }
}

__global__ void TransposeKernel(const float* in, float* out, std::size_t rows,
                                std::size_t columns) {
  for (std::size_t i = threadIdx.x; i < rows * columns; i += kThreads) {
    out[i % columns * rows + i / columns] = in[i];
  }
}

__global__ void CompactKernel(const uint32_t* values, const std::uint8_t* flags, std::size_t n,
                              uint32_t* kept, uint32_t* count) {
  uint32_t base = 0;
  for (std::size_t first = 0; first < n; first += kThreads) {
    const std::size_t i = first + threadIdx.x;
    const bool keep = i < n && flags[i] != 0;
    if (keep) kept[base] = values[i];
    base += keep;
  }
  if (threadIdx.x == 0) *count = base;
}

__global__ void SplitKernel(const uint32_t* keys, const uint32_t* payloads, std::size_t n, int bit,
                            uint32_t* split_keys, uint32_t* split_payloads) {
  std::size_t base = 0;
  for (uint32_t side = 0; side < 2; ++side) {
    for (std::size_t first = 0; first < n; first += kThreads) {
      const std::size_t i = first + threadIdx.x;
      const bool here = i < n && (keys[i] >> bit & 1) == side;
      if (here) {
        split_keys[base] = keys[i];
        split_payloads[base++] = payloads[i];
      }
    }
  }
}

}  // namespace

void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream) {
  ToArraysKernel<<<1, kThreads, 0, stream>>>(reinterpret_cast<const float*>(cells.data()),
                                             cells.size(), fields.data());
  CUDA_CHECK(cudaGetLastError());
}

void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream) {
  ToStructsKernel<<<1, kThreads, 0, stream>>>(fields.data(), cells.size(),
                                              reinterpret_cast<float*>(cells.data()));
  CUDA_CHECK(cudaGetLastError());
}

void Gather(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> sources,
            DeviceSpan<uint32_t> out, cudaStream_t stream) {
  GatherKernel<<<1, kThreads, 0, stream>>>(values.data(), values.size(), sources.data(), out.size(),
                                           out.data());
  CUDA_CHECK(cudaGetLastError());
}

void Scatter(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> targets,
             DeviceSpan<uint32_t> out, DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  ScatterKernel<<<1, kThreads, 0, stream>>>(values.data(), values.size(), targets.data(),
                                            out.size(), out.data(), workspace.data());
  CUDA_CHECK(cudaGetLastError());
}

void Transpose(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
               cudaStream_t stream) {
  TransposeKernel<<<1, kThreads, 0, stream>>>(in.data(), out.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

void TransposeSwizzled(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                       cudaStream_t stream) {
  TransposeKernel<<<1, kThreads, 0, stream>>>(in.data(), out.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

void Compact(DeviceSpan<const uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<uint32_t> kept, DeviceSpan<uint32_t> count,
             DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  CompactKernel<<<1, kThreads, 0, stream>>>(values.data(), flags.data(), values.size(), kept.data(),
                                            count.data());
  CUDA_CHECK(cudaGetLastError());
}

void SplitByBit(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads, int bit,
                DeviceSpan<uint32_t> split_keys, DeviceSpan<uint32_t> split_payloads,
                DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  SplitKernel<<<1, kThreads, 0, stream>>>(keys.data(), payloads.data(), keys.size(), bit,
                                          split_keys.data(), split_payloads.data());
  CUDA_CHECK(cudaGetLastError());
}

void RadixSort(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads,
               DeviceSpan<uint32_t> sorted_keys, DeviceSpan<uint32_t> sorted_payloads,
               DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  const std::size_t n = keys.size();
  const uint32_t* from_keys = keys.data();
  const uint32_t* from_payloads = payloads.data();
  for (int bit = 0; bit < 32; ++bit) {
    uint32_t* const to_keys = bit % 2 == 0 ? workspace.data() : sorted_keys.data();
    uint32_t* const to_payloads = bit % 2 == 0 ? workspace.data() + n : sorted_payloads.data();
    SplitKernel<<<1, kThreads, 0, stream>>>(from_keys, from_payloads, n, bit, to_keys, to_payloads);
    CUDA_CHECK(cudaGetLastError());
    from_keys = to_keys;
    from_payloads = to_payloads;
  }
}
