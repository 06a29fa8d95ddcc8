// The reference: a thread or a warp for each row of CSR; ELL with a thread for each row; a thread
// for each entry of COO; both after each other for the hybrid; for jagged diagonals a thread for
// each place and, of long rows, for each piece of 32 diagonals; a thread for each row of diagonals
// and of blocks, and a warp for each column.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarp = 32;
constexpr unsigned kRowsOfBlock = kThreads / kWarp;  // with a warp for each
constexpr unsigned kAll = 0xffffffffu;
constexpr std::size_t kMostBlocks = 1024;  // of kernels whose threads go on in rounds

// Sizes are below 2^31: this does not wrap around.
__device__ unsigned Thread() { return blockIdx.x * kThreads + threadIdx.x; }

__global__ void ThreadsKernel(const unsigned* pointers, const unsigned* columns,
                              const float* values, const float* x, float* y, unsigned rows) {
  const unsigned row = Thread();
  if (row >= rows) return;
  const unsigned end = pointers[row + 1];
  float sum = 0;
  for (unsigned k = pointers[row]; k < end; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

// The sum of a value of each lane, in lane 0. All lanes come here.
__device__ float WarpSum(float value) {
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(kAll, value, offset);
  }
  return value;
}

__global__ void WarpsKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                            const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * kRowsOfBlock + threadIdx.x / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  if (row >= rows) return;  // a whole warp
  const unsigned end = pointers[row + 1];
  float sum = 0;
  for (unsigned k = pointers[row] + lane; k < end; k += kWarp) sum += values[k] * x[columns[k]];
  sum = WarpSum(sum);
  if (lane == 0) y[row] = sum;
}

__global__ void BuildEllKernel(const unsigned* pointers, const unsigned* columns,
                               const float* values, unsigned* ell_columns, float* ell_values,
                               unsigned rows, unsigned width) {
  const unsigned row = Thread();
  if (row >= rows) return;
  const unsigned begin = pointers[row];
  const unsigned length = pointers[row + 1] - begin;
  for (unsigned slot = 0; slot < width; ++slot) {
    const bool filled = slot < length;
    ell_columns[slot * rows + row] = filled ? columns[begin + slot] : kNoColumn;
    ell_values[slot * rows + row] = filled ? values[begin + slot] : 0;
  }
}

__global__ void EllKernel(const unsigned* columns, const float* values, const float* x, float* y,
                          unsigned rows, unsigned width) {
  const unsigned row = Thread();
  if (row >= rows) return;
  float sum = 0;
  for (unsigned slot = 0; slot < width; ++slot) {
    const unsigned column = columns[slot * rows + row];
    if (column == kNoColumn) break;  // so are all that follow
    sum += values[slot * rows + row] * x[column];
  }
  y[row] = sum;
}

__global__ void CooKernel(const unsigned* rows, const unsigned* columns, const float* values,
                          const float* x, float* y, unsigned entries) {
  for (unsigned k = Thread(); k < entries; k += gridDim.x * kThreads) {
    atomicAdd(&y[rows[k]], values[k] * x[columns[k]]);
  }
}

constexpr unsigned kPiece = 32;  // diagonals that a thread adds up

// The sum of the row at `place` in the diagonals from `first` up to `last`, without the latter.
__device__ float SumOfDiagonals(unsigned first, unsigned last, unsigned place,
                                const unsigned* pointers, const unsigned* columns,
                                const float* values, const float* x) {
  float sum = 0;
  unsigned begin = pointers[first];
  for (unsigned d = first; d < last; ++d) {
    const unsigned end = pointers[d + 1];
    if (place >= end - begin) break;  // the row has no entry d
    const unsigned k = begin + place;
    sum += values[k] * x[columns[k]];
    begin = end;
  }
  return sum;
}

// The first kPiece diagonals, a thread for each place.
__global__ void FirstPieceKernel(const unsigned* order, const unsigned* pointers,
                                 const unsigned* columns, const float* values, const float* x,
                                 float* y, unsigned rows, unsigned diagonals) {
  const unsigned place = Thread();
  if (place >= rows) return;
  const unsigned last = min(diagonals, kPiece);
  y[order[place]] = SumOfDiagonals(0, last, place, pointers, columns, values, x);
}

// The other pieces of long rows. Blocks with blockIdx.y = i have the diagonals from kPiece * 2^i up
// to twice as many, 2^i pieces of rows that are longer than the first of these. A warp takes one
// piece of 32 neighbouring places after the other.
__global__ void PiecesKernel(const unsigned* order, const unsigned* pointers,
                             const unsigned* columns, const float* values, const float* x, float* y,
                             unsigned diagonals) {
  const unsigned pieces = 1u << blockIdx.y;
  const unsigned begin = kPiece << blockIdx.y;
  const unsigned rows = pointers[begin + 1] - pointers[begin];
  const unsigned tasks = (rows + kWarp - 1) / kWarp * pieces;
  for (unsigned task = Thread() / kWarp; task < tasks; task += gridDim.x * kRowsOfBlock) {
    const unsigned first = begin + task % pieces * kPiece;
    const unsigned place = task / pieces * kWarp + threadIdx.x % kWarp;
    if (first >= diagonals || place >= pointers[first + 1] - pointers[first]) continue;
    const unsigned last = min(diagonals, first + kPiece);
    atomicAdd(&y[order[place]], SumOfDiagonals(first, last, place, pointers, columns, values, x));
  }
}

__global__ void DiagonalsKernel(const int* offsets, const float* values, const float* x, float* y,
                                int rows, int columns, int diagonals) {
  const int row = static_cast<int>(Thread());
  if (row >= rows) return;
  float sum = 0;
  for (int d = 0; d < diagonals; ++d) {
    const int column = row + offsets[d];
    if (column >= 0 && column < columns) sum += values[d * rows + row] * x[column];
  }
  y[row] = sum;
}

// A warp for each column.
__global__ void ColumnsKernel(const unsigned* pointers, const unsigned* rows, const float* values,
                              const float* x, float* y, unsigned columns) {
  const unsigned column = blockIdx.x * kRowsOfBlock + threadIdx.x / kWarp;
  if (column >= columns) return;
  const float factor = x[column];
  const unsigned end = pointers[column + 1];
  for (unsigned k = pointers[column] + threadIdx.x % kWarp; k < end; k += kWarp) {
    atomicAdd(&y[rows[k]], values[k] * factor);
  }
}

static_assert(kBlockEdge == 4);

// A thread for each row: neighbouring ones read the rows of the same block, which lie side by side.
__global__ void BlocksKernel(const unsigned* pointers, const unsigned* columns,
                             const float4* values, const float4* x, float* y, unsigned rows) {
  const unsigned row = Thread();
  if (row >= rows) return;
  const unsigned block_row = row / kBlockEdge;
  const unsigned end = pointers[block_row + 1];
  float sum = 0;
  for (unsigned k = pointers[block_row]; k < end; ++k) {
    const float4 a = values[k * kBlockEdge + row % kBlockEdge];
    const float4 b = x[columns[k]];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  y[row] = sum;
}

unsigned BlocksFor(std::size_t items, unsigned items_of_block = kThreads) {
  return static_cast<unsigned>((items + items_of_block - 1) / items_of_block);
}

// Overwrites y.
void StoreEll(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
              DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const std::size_t rows = y.size();
  if (rows == 0) return;
  EllKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      ell_columns.data(), ell_values.data(), x.data(), y.data(), static_cast<unsigned>(rows),
      static_cast<unsigned>(ell_columns.size() / rows));
  CUDA_CHECK(cudaGetLastError());
}

// Adds to y.
void AddCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
            DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
            cudaStream_t stream) {
  const std::size_t entries = values.size();
  if (entries == 0) return;
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(BlocksFor(entries), kMostBlocks));
  CooKernel<<<blocks, kThreads, 0, stream>>>(row_indices.data(), column_indices.data(),
                                             values.data(), x.data(), y.data(),
                                             static_cast<unsigned>(entries));
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void MultiplyByThreads(DeviceSpan<const unsigned> row_pointers,
                       DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const std::size_t rows = y.size();
  if (rows == 0) return;
  ThreadsKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      row_pointers.data(), column_indices.data(), values.data(), x.data(), y.data(),
      static_cast<unsigned>(rows));
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyByWarps(DeviceSpan<const unsigned> row_pointers,
                     DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                     DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const std::size_t rows = y.size();
  if (rows == 0) return;
  WarpsKernel<<<BlocksFor(rows, kRowsOfBlock), kThreads, 0, stream>>>(
      row_pointers.data(), column_indices.data(), values.data(), x.data(), y.data(),
      static_cast<unsigned>(rows));
  CUDA_CHECK(cudaGetLastError());
}

void BuildEll(DeviceSpan<const unsigned> row_pointers, DeviceSpan<const unsigned> column_indices,
              DeviceSpan<const float> values, DeviceSpan<unsigned> ell_columns,
              DeviceSpan<float> ell_values, cudaStream_t stream) {
  const std::size_t rows = row_pointers.size() - 1;
  if (rows == 0) return;
  BuildEllKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      row_pointers.data(), column_indices.data(), values.data(), ell_columns.data(),
      ell_values.data(), static_cast<unsigned>(rows),
      static_cast<unsigned>(ell_columns.size() / rows));
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyEll(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                 DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  StoreEll(ell_columns, ell_values, x, y, stream);
}

void MultiplyCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
                 DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
                 cudaStream_t stream) {
  if (y.size() == 0) return;
  CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes(), stream));
  AddCoo(row_indices, column_indices, values, x, y, stream);
}

void MultiplyHybrid(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                    DeviceSpan<const unsigned> row_indices,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  StoreEll(ell_columns, ell_values, x, y, stream);
  AddCoo(row_indices, column_indices, values, x, y, stream);
}

void MultiplyJagged(DeviceSpan<const unsigned> row_order,
                    DeviceSpan<const unsigned> diagonal_pointers,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const std::size_t rows = y.size();
  if (rows == 0) return;
  const auto diagonals = static_cast<unsigned>(diagonal_pointers.size() - 1);
  FirstPieceKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      row_order.data(), diagonal_pointers.data(), column_indices.data(), values.data(), x.data(),
      y.data(), static_cast<unsigned>(rows), diagonals);
  CUDA_CHECK(cudaGetLastError());
  if (diagonals <= kPiece) return;
  unsigned octaves = 1;
  while (kPiece << octaves < diagonals) ++octaves;
  const auto blocks = static_cast<unsigned>(
      std::min<std::size_t>(BlocksFor(values.size(), kThreads * kPiece), kMostBlocks));
  PiecesKernel<<<dim3(blocks, octaves), kThreads, 0, stream>>>(
      row_order.data(), diagonal_pointers.data(), column_indices.data(), values.data(), x.data(),
      y.data(), diagonals);
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyDiagonals(DeviceSpan<const int> offsets, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const std::size_t rows = y.size();
  if (rows == 0) return;
  DiagonalsKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      offsets.data(), values.data(), x.data(), y.data(), static_cast<int>(rows),
      static_cast<int>(x.size()), static_cast<int>(offsets.size()));
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyByColumns(DeviceSpan<const unsigned> column_pointers,
                       DeviceSpan<const unsigned> row_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  if (y.empty()) return;
  CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes(), stream));
  if (x.empty()) return;
  ColumnsKernel<<<BlocksFor(x.size(), kRowsOfBlock), kThreads, 0, stream>>>(
      column_pointers.data(), row_indices.data(), values.data(), x.data(), y.data(),
      static_cast<unsigned>(x.size()));
  CUDA_CHECK(cudaGetLastError());
}

void MultiplyBlocks(DeviceSpan<const unsigned> block_row_pointers,
                    DeviceSpan<const unsigned> block_columns, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream) {
  const std::size_t rows = y.size();
  if (rows == 0) return;
  BlocksKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      block_row_pointers.data(), block_columns.data(),
      reinterpret_cast<const float4*>(values.data()), reinterpret_cast<const float4*>(x.data()),
      y.data(), static_cast<unsigned>(rows));
  CUDA_CHECK(cudaGetLastError());
}
