// Wrong: loops on the host, and a kernel in a function that nobody calls.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

namespace {

// Brings what a span holds to the host.
template <typename T>
std::vector<T> OnHost(DeviceSpan<const T> span, cudaStream_t stream) {
  std::vector<T> values(span.size());
  CUDA_CHECK(cudaMemcpyAsync(values.data(), span.data(), span.size_bytes(), cudaMemcpyDeviceToHost,
                             stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return values;
}

}  // namespace

void MultiplyByThreads(DeviceSpan<const unsigned> row_pointers,
                       DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const auto pointers = OnHost(row_pointers, stream);
  const auto columns = OnHost(column_indices, stream);
  const auto entries = OnHost(values, stream);
  const auto vector = OnHost(x, stream);
  std::vector<float> sums(y.size());
  for (std::size_t r = 0; r < y.size(); ++r) {
    for (std::size_t k = pointers[r]; k < pointers[r + 1]; ++k) {
      sums[r] += entries[k] * vector[columns[k]];
    }
  }
  CUDA_CHECK(
      cudaMemcpyAsync(y.data(), sums.data(), y.size_bytes(), cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void MultiplyByWarps(DeviceSpan<const unsigned> row_pointers,
                     DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                     DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  MultiplyByThreads(row_pointers, column_indices, values, x, y, stream);
}

void BuildEll([[maybe_unused]] DeviceSpan<const unsigned> row_pointers,
              [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
              [[maybe_unused]] DeviceSpan<const float> values,
              [[maybe_unused]] DeviceSpan<unsigned> ell_columns,
              [[maybe_unused]] DeviceSpan<float> ell_values, [[maybe_unused]] cudaStream_t stream) {
}

void MultiplyEll([[maybe_unused]] DeviceSpan<const unsigned> ell_columns,
                 [[maybe_unused]] DeviceSpan<const float> ell_values,
                 [[maybe_unused]] DeviceSpan<const float> x, [[maybe_unused]] DeviceSpan<float> y,
                 [[maybe_unused]] cudaStream_t stream) {}

void MultiplyCoo([[maybe_unused]] DeviceSpan<const unsigned> row_indices,
                 [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                 [[maybe_unused]] DeviceSpan<const float> values,
                 [[maybe_unused]] DeviceSpan<const float> x, [[maybe_unused]] DeviceSpan<float> y,
                 [[maybe_unused]] cudaStream_t stream) {}

void MultiplyHybrid([[maybe_unused]] DeviceSpan<const unsigned> ell_columns,
                    [[maybe_unused]] DeviceSpan<const float> ell_values,
                    [[maybe_unused]] DeviceSpan<const unsigned> row_indices,
                    [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                    [[maybe_unused]] DeviceSpan<const float> values,
                    [[maybe_unused]] DeviceSpan<const float> x,
                    [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {}

void MultiplyJagged([[maybe_unused]] DeviceSpan<const unsigned> row_order,
                    [[maybe_unused]] DeviceSpan<const unsigned> diagonal_pointers,
                    [[maybe_unused]] DeviceSpan<const unsigned> column_indices,
                    [[maybe_unused]] DeviceSpan<const float> values,
                    [[maybe_unused]] DeviceSpan<const float> x,
                    [[maybe_unused]] DeviceSpan<float> y, [[maybe_unused]] cudaStream_t stream) {}

__global__ void DecoyKernel() {}

void LaunchDecoy() { DecoyKernel<<<1, 32>>>(); }
