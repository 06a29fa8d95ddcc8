// Lazy: matrix and vector are copied to the host and multiplied there; the kernel is empty.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

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

template <typename T>
void Finish(const std::vector<T>& host, DeviceSpan<T> values, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(values.data(), host.data(), values.size_bytes(),
                             cudaMemcpyHostToDevice, stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

void CsrOnHost(const unsigned* pointers, const unsigned* columns, const float* values,
               const float* x, float* y, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (unsigned k = pointers[row]; k < pointers[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

void BuildOnHost(const unsigned* pointers, const unsigned* columns, const float* values,
                 unsigned* ell_columns, float* ell_values, std::size_t rows, std::size_t width) {
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

void EllOnHost(const unsigned* columns, const float* values, const float* x, float* y,
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
void CooOnHost(const unsigned* rows, const unsigned* columns, const float* values, const float* x,
               float* y, std::size_t entries) {
  for (std::size_t k = 0; k < entries; ++k) y[rows[k]] += values[k] * x[columns[k]];
}

void JaggedOnHost(const unsigned* order, const unsigned* pointers, const unsigned* columns,
                  const float* values, const float* x, float* y, std::size_t rows,
                  std::size_t diagonals) {
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
  const auto host_row_pointers = ToHost(row_pointers, stream);
  const auto host_column_indices = ToHost(column_indices, stream);
  const auto host_values = ToHost(values, stream);
  const auto host_x = ToHost(x, stream);
  std::vector<float> host_y(y.size());
  CsrOnHost(host_row_pointers.data(), host_column_indices.data(), host_values.data(), host_x.data(),
            host_y.data(), y.size());
  Finish(host_y, y, stream);
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
  const auto host_row_pointers = ToHost(row_pointers, stream);
  const auto host_column_indices = ToHost(column_indices, stream);
  const auto host_values = ToHost(values, stream);
  std::vector<unsigned> host_columns(ell_columns.size());
  std::vector<float> host_slots(ell_values.size());
  BuildOnHost(host_row_pointers.data(), host_column_indices.data(), host_values.data(),
              host_columns.data(), host_slots.data(), rows, ell_columns.size() / rows);
  Finish(host_columns, ell_columns, stream);
  Finish(host_slots, ell_values, stream);
}

void MultiplyEll(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                 DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  const auto host_ell_columns = ToHost(ell_columns, stream);
  const auto host_ell_values = ToHost(ell_values, stream);
  const auto host_x = ToHost(x, stream);
  std::vector<float> host_y(y.size());
  EllOnHost(host_ell_columns.data(), host_ell_values.data(), host_x.data(), host_y.data(), y.size(),
            ell_columns.size() / y.size());
  Finish(host_y, y, stream);
}

void MultiplyCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
                 DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
                 cudaStream_t stream) {
  const auto host_row_indices = ToHost(row_indices, stream);
  const auto host_column_indices = ToHost(column_indices, stream);
  const auto host_values = ToHost(values, stream);
  const auto host_x = ToHost(x, stream);
  std::vector<float> host_y(y.size());
  CooOnHost(host_row_indices.data(), host_column_indices.data(), host_values.data(), host_x.data(),
            host_y.data(), values.size());
  Finish(host_y, y, stream);
}

void MultiplyHybrid(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                    DeviceSpan<const unsigned> row_indices,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  const auto host_ell_columns = ToHost(ell_columns, stream);
  const auto host_ell_values = ToHost(ell_values, stream);
  const auto host_row_indices = ToHost(row_indices, stream);
  const auto host_column_indices = ToHost(column_indices, stream);
  const auto host_values = ToHost(values, stream);
  const auto host_x = ToHost(x, stream);
  std::vector<float> host_y(y.size());
  EllOnHost(host_ell_columns.data(), host_ell_values.data(), host_x.data(), host_y.data(), y.size(),
            ell_columns.size() / y.size());
  CooOnHost(host_row_indices.data(), host_column_indices.data(), host_values.data(), host_x.data(),
            host_y.data(), values.size());
  Finish(host_y, y, stream);
}

void MultiplyJagged(DeviceSpan<const unsigned> row_order,
                    DeviceSpan<const unsigned> diagonal_pointers,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const auto host_row_order = ToHost(row_order, stream);
  const auto host_diagonal_pointers = ToHost(diagonal_pointers, stream);
  const auto host_column_indices = ToHost(column_indices, stream);
  const auto host_values = ToHost(values, stream);
  const auto host_x = ToHost(x, stream);
  std::vector<float> host_y(y.size());
  JaggedOnHost(host_row_order.data(), host_diagonal_pointers.data(), host_column_indices.data(),
               host_values.data(), host_x.data(), host_y.data(), y.size(),
               diagonal_pointers.size() - 1);
  Finish(host_y, y, stream);
}
