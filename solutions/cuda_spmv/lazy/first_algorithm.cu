// Lazy: a thread for each row or entry in every part, and a launch for each jagged diagonal.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

namespace {

constexpr std::size_t kThreads = 256;

__device__ std::size_t Thread() { return blockIdx.x * kThreads + threadIdx.x; }

unsigned BlocksFor(std::size_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

__global__ void CsrKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                          const float* x, float* y, std::size_t rows) {
  const std::size_t row = Thread();
  if (row >= rows) return;
  float sum = 0;
  for (unsigned k = pointers[row]; k < pointers[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

__global__ void BuildKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                            unsigned* ell_columns, float* ell_values, std::size_t rows,
                            std::size_t width) {
  const std::size_t row = Thread();
  if (row >= rows) return;
  const unsigned begin = pointers[row];
  const unsigned length = pointers[row + 1] - begin;
  for (std::size_t slot = 0; slot < width; ++slot) {
    const bool filled = slot < length;
    ell_columns[slot * rows + row] = filled ? columns[begin + slot] : kNoColumn;
    ell_values[slot * rows + row] = filled ? values[begin + slot] : 0;
  }
}

__global__ void EllKernel(const unsigned* columns, const float* values, const float* x, float* y,
                          std::size_t rows, std::size_t width) {
  const std::size_t row = Thread();
  if (row >= rows) return;
  float sum = 0;
  for (std::size_t i = row; i < width * rows; i += rows) {
    if (columns[i] != kNoColumn) sum += values[i] * x[columns[i]];
  }
  y[row] = sum;
}

// Adds to y.
__global__ void CooKernel(const unsigned* rows, const unsigned* columns, const float* values,
                          const float* x, float* y, std::size_t entries) {
  const std::size_t k = Thread();
  if (k < entries) atomicAdd(&y[rows[k]], values[k] * x[columns[k]]);
}

// Adds one diagonal, of `length` entries, to y.
__global__ void DiagonalKernel(const unsigned* order, const unsigned* columns, const float* values,
                               const float* x, float* y, std::size_t length) {
  const std::size_t place = Thread();
  if (place < length) y[order[place]] += values[place] * x[columns[place]];
}

// Adds to y.
void AddCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
            DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
            cudaStream_t stream) {
  const std::size_t entries = values.size();
  if (entries == 0) return;
  CooKernel<<<BlocksFor(entries), kThreads, 0, stream>>>(
      row_indices.data(), column_indices.data(), values.data(), x.data(), y.data(), entries);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void MultiplyByThreads(DeviceSpan<const unsigned> row_pointers,
                       DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  CsrKernel<<<BlocksFor(y.size()), kThreads, 0, stream>>>(
      row_pointers.data(), column_indices.data(), values.data(), x.data(), y.data(), y.size());
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
  BuildKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      row_pointers.data(), column_indices.data(), values.data(), ell_columns.data(),
      ell_values.data(), rows, ell_columns.size() / rows);
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyEll(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                 DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  EllKernel<<<BlocksFor(y.size()), kThreads, 0, stream>>>(ell_columns.data(), ell_values.data(),
                                                          x.data(), y.data(), y.size(),
                                                          ell_columns.size() / y.size());
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
                 DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
                 cudaStream_t stream) {
  if (y.empty()) return;
  CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes(), stream));
  AddCoo(row_indices, column_indices, values, x, y, stream);
}

void MultiplyHybrid(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                    DeviceSpan<const unsigned> row_indices,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  MultiplyEll(ell_columns, ell_values, x, y, stream);
  AddCoo(row_indices, column_indices, values, x, y, stream);
}

void MultiplyJagged(DeviceSpan<const unsigned> row_order,
                    DeviceSpan<const unsigned> diagonal_pointers,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes(), stream));
  std::vector<unsigned> pointers(diagonal_pointers.size());
  CUDA_CHECK(cudaMemcpyAsync(pointers.data(), diagonal_pointers.data(),
                             diagonal_pointers.size_bytes(), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  for (std::size_t d = 0; d + 1 < pointers.size(); ++d) {
    const std::size_t length = pointers[d + 1] - pointers[d];
    if (length == 0) return;
    DiagonalKernel<<<BlocksFor(length), kThreads, 0, stream>>>(
        row_order.data(), column_indices.data() + pointers[d], values.data() + pointers[d],
        x.data(), y.data(), length);
    CUDA_CHECK(cudaGetLastError());
  }
}
