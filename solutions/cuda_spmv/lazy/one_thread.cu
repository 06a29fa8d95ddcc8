// Lazy: a single thread goes through all rows and all entries.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

namespace {

__global__ void CsrKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                          const float* x, float* y, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (unsigned k = pointers[row]; k < pointers[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

__global__ void BuildKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                            unsigned* ell_columns, float* ell_values, std::size_t rows,
                            std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row) {
    const unsigned begin = pointers[row];
    const unsigned length = pointers[row + 1] - begin;
    for (std::size_t slot = 0; slot < width; ++slot) {
      const bool filled = slot < length;
      ell_columns[slot * rows + row] = filled ? columns[begin + slot] : kNoColumn;
      ell_values[slot * rows + row] = filled ? values[begin + slot] : 0;
    }
  }
}

__global__ void EllKernel(const unsigned* columns, const float* values, const float* x, float* y,
                          std::size_t rows, std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (std::size_t i = row; i < width * rows; i += rows) {
      if (columns[i] != kNoColumn) sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
  }
}

// Adds to y.
__global__ void CooKernel(const unsigned* rows, const unsigned* columns, const float* values,
                          const float* x, float* y, std::size_t entries) {
  for (std::size_t k = 0; k < entries; ++k) y[rows[k]] += values[k] * x[columns[k]];
}

__global__ void JaggedKernel(const unsigned* order, const unsigned* pointers,
                             const unsigned* columns, const float* values, const float* x, float* y,
                             std::size_t rows, std::size_t diagonals) {
  for (std::size_t place = 0; place < rows; ++place) {
    float sum = 0;
    for (std::size_t d = 0; d < diagonals && place < pointers[d + 1] - pointers[d]; ++d) {
      const std::size_t k = pointers[d] + place;
      sum += values[k] * x[columns[k]];
    }
    y[order[place]] = sum;
  }
}

}  // namespace

void MultiplyByThreads(DeviceSpan<const unsigned> row_pointers,
                       DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  CsrKernel<<<1, 1, 0, stream>>>(row_pointers.data(), column_indices.data(), values.data(),
                                 x.data(), y.data(), y.size());
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyByWarps(DeviceSpan<const unsigned> row_pointers,
                     DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                     DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  MultiplyByThreads(row_pointers, column_indices, values, x, y, stream);
}

void BuildEll(DeviceSpan<const unsigned> row_pointers, DeviceSpan<const unsigned> column_indices,
              DeviceSpan<const float> values, DeviceSpan<unsigned> ell_columns,
              DeviceSpan<float> ell_values, cudaStream_t stream) {
  const std::size_t rows = row_pointers.size() - 1;
  if (rows == 0) return;
  BuildKernel<<<1, 1, 0, stream>>>(row_pointers.data(), column_indices.data(), values.data(),
                                   ell_columns.data(), ell_values.data(), rows,
                                   ell_columns.size() / rows);
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyEll(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                 DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  EllKernel<<<1, 1, 0, stream>>>(ell_columns.data(), ell_values.data(), x.data(), y.data(),
                                 y.size(), ell_columns.size() / y.size());
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
                 DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
                 cudaStream_t stream) {
  if (y.empty()) return;
  CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes(), stream));
  CooKernel<<<1, 1, 0, stream>>>(row_indices.data(), column_indices.data(), values.data(), x.data(),
                                 y.data(), values.size());
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyHybrid(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                    DeviceSpan<const unsigned> row_indices,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  MultiplyEll(ell_columns, ell_values, x, y, stream);
  CooKernel<<<1, 1, 0, stream>>>(row_indices.data(), column_indices.data(), values.data(), x.data(),
                                 y.data(), values.size());
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyJagged(DeviceSpan<const unsigned> row_order,
                    DeviceSpan<const unsigned> diagonal_pointers,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  JaggedKernel<<<1, 1, 0, stream>>>(row_order.data(), diagonal_pointers.data(),
                                    column_indices.data(), values.data(), x.data(), y.data(),
                                    y.size(), diagonal_pointers.size() - 1);
  CUDA_CHECK(cudaGetLastError());
}
