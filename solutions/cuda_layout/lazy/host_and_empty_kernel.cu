// Lazy: everything is copied to the host and moved there; the kernel is empty.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_layout/layout.h"

namespace {

using std::uint32_t;

// The elements of one thread: from `first` on, each `step`th.
struct Share {
  std::size_t first;
  std::size_t step;
};

__global__ void EmptyKernel() {}

template <typename T>
auto ToHost(DeviceSpan<T> span, cudaStream_t stream) {
  std::vector<std::remove_const_t<T>> host(span.size());
  CUDA_CHECK(
      cudaMemcpyAsync(host.data(), span.data(), span.size_bytes(), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

template <typename T>
void ToDevice(const std::vector<std::remove_const_t<T>>& host, DeviceSpan<T> span,
              cudaStream_t stream) {
  if constexpr (!std::is_const_v<T>) {
    CUDA_CHECK(cudaMemcpyAsync(span.data(), host.data(), span.size_bytes(), cudaMemcpyHostToDevice,
                               stream));
  }
}

template <auto work, typename... T>
void Run(cudaStream_t stream, std::size_t n, std::size_t other, DeviceSpan<T>... spans) {
  std::tuple hosts(ToHost(spans, stream)...);
  std::apply(
      [&](auto&... host) {
        work(Share{0, 1}, n, other, host.data()...);
        (ToDevice(host, spans, stream), ...);
      },
      hosts);
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

__host__ __device__ void CellsToFields(Share share, std::size_t n, std::size_t, const Cell* cells,
                                       float* fields) {
  const float* const from = reinterpret_cast<const float*>(cells);
  for (std::size_t i = share.first; i < n; i += share.step) {
    for (std::size_t f = 0; f < kCellFields; ++f) fields[f * n + i] = from[i * kCellFields + f];
  }
}

__host__ __device__ void FieldsToCells(Share share, std::size_t n, std::size_t, const float* fields,
                                       Cell* cells) {
  float* const to = reinterpret_cast<float*>(cells);
  for (std::size_t i = share.first; i < n; i += share.step) {
    for (std::size_t f = 0; f < kCellFields; ++f) to[i * kCellFields + f] = fields[f * n + i];
  }
}

__host__ __device__ void GatherShare(Share share, std::size_t m, std::size_t n,
                                     const uint32_t* values, const uint32_t* sources,
                                     uint32_t* out) {
  for (std::size_t i = share.first; i < m; i += share.step) {
    out[i] = sources[i] < n ? values[sources[i]] : 0;
  }
}

__host__ __device__ void TransposeShare(Share share, std::size_t n, std::size_t columns,
                                        const float* in, float* out) {
  for (std::size_t i = share.first; i < n; i += share.step) {
    out[i % columns * (n / columns) + i / columns] = in[i];
  }
}

__host__ __device__ void ScatterShare(Share, std::size_t n, std::size_t m, const uint32_t* values,
                                      const uint32_t* targets, uint32_t* out, uint32_t*) {
  for (std::size_t i = 0; i < n; ++i) {
    if (targets[i] < m) out[targets[i]] = values[i];
  }
}

__host__ __device__ void CompactShare(Share, std::size_t n, std::size_t, const uint32_t* values,
                                      const std::uint8_t* flags, uint32_t* kept, uint32_t* count) {
  uint32_t base = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (flags[i] != 0) kept[base++] = values[i];
  }
  *count = base;
}

__host__ __device__ void SplitShare(Share, std::size_t n, std::size_t bit, const uint32_t* keys,
                                    const uint32_t* payloads, uint32_t* split_keys,
                                    uint32_t* split_payloads) {
  std::size_t base = 0;
  for (uint32_t side = 0; side < 2; ++side) {
    for (std::size_t i = 0; i < n; ++i) {
      if ((keys[i] >> bit & 1) != side) continue;
      split_keys[base] = keys[i];
      split_payloads[base++] = payloads[i];
    }
  }
}

// `packed` is the distance times 2^32 and what fills the rest.
__host__ __device__ void ShiftShare(Share share, std::size_t n, std::size_t packed,
                                    const uint32_t* values, uint32_t* out) {
  const auto distance = static_cast<std::int32_t>(packed >> 32);
  for (std::size_t i = share.first; i < n; i += share.step) {
    const std::int64_t source = static_cast<std::int64_t>(i) - distance;
    const bool exists = source >= 0 && source < static_cast<std::int64_t>(n);
    out[i] = exists ? values[source] : static_cast<uint32_t>(packed);
  }
}

__host__ __device__ void ExpandShare(Share, std::size_t n, std::size_t, const uint32_t* values,
                                     const uint32_t* counts, uint32_t* out) {
  std::size_t base = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (uint32_t k = 0; k < counts[i]; ++k) out[base++] = values[i];
  }
}

__host__ __device__ void UnsplitShare(Share, std::size_t n, std::size_t, const uint32_t* split,
                                      const std::uint8_t* flags, uint32_t* out) {
  std::size_t base = 0;
  for (const bool side : {false, true}) {
    for (std::size_t i = 0; i < n; ++i) {
      if ((flags[i] != 0) == side) out[i] = split[base++];
    }
  }
}

}  // namespace

void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream) {
  Run<CellsToFields>(stream, cells.size(), 0, cells, fields);
}

void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream) {
  Run<FieldsToCells>(stream, cells.size(), 0, fields, cells);
}

void Gather(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> sources,
            DeviceSpan<uint32_t> out, cudaStream_t stream) {
  Run<GatherShare>(stream, out.size(), values.size(), values, sources, out);
}

void Scatter(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> targets,
             DeviceSpan<uint32_t> out, DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  Run<ScatterShare>(stream, values.size(), out.size(), values, targets, out, workspace);
}

void Transpose(DeviceSpan<const float> in, DeviceSpan<float> out, int /*rows*/, int columns,
               cudaStream_t stream) {
  Run<TransposeShare>(stream, in.size(), columns, in, out);
}

void TransposeSwizzled(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                       cudaStream_t stream) {
  Transpose(in, out, rows, columns, stream);
}

void Compact(DeviceSpan<const uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<uint32_t> kept, DeviceSpan<uint32_t> count,
             DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  Run<CompactShare>(stream, values.size(), 0, values, flags, kept, count);
}

void SplitByBit(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads, int bit,
                DeviceSpan<uint32_t> split_keys, DeviceSpan<uint32_t> split_payloads,
                DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  Run<SplitShare>(stream, keys.size(), bit, keys, payloads, split_keys, split_payloads);
}

void RadixSort(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads,
               DeviceSpan<uint32_t> sorted_keys, DeviceSpan<uint32_t> sorted_payloads,
               DeviceSpan<uint32_t> workspace, cudaStream_t stream) {
  const std::size_t n = keys.size();
  for (int bit = 0; bit < 32; ++bit) {
    const auto to_keys = bit % 2 == 0 ? workspace.subspan(0, n) : sorted_keys;
    const auto to_payloads = bit % 2 == 0 ? workspace.subspan(n, n) : sorted_payloads;
    SplitByBit(keys, payloads, bit, to_keys, to_payloads, workspace.subspan(2 * n, 2 * n), stream);
    keys = to_keys;
    payloads = to_payloads;
  }
}

void Shift(DeviceSpan<const uint32_t> values, int distance, uint32_t fill, DeviceSpan<uint32_t> out,
           cudaStream_t stream) {
  const std::size_t packed = static_cast<std::size_t>(static_cast<uint32_t>(distance)) << 32 | fill;
  Run<ShiftShare>(stream, values.size(), packed, values, out);
}

void Expand(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> counts,
            DeviceSpan<uint32_t> out, DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  Run<ExpandShare>(stream, values.size(), 0, values, counts, out);
}

void Unsplit(DeviceSpan<const uint32_t> split, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<uint32_t> out, DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  Run<UnsplitShare>(stream, split.size(), 0, split, flags, out);
}
