// CSR as a path: the ends of rows and the entries are merged, and each thread gets an equal piece
// of the path, however long the rows are (Merrill, Garland, Merge-Based Parallel Sparse
// Matrix-Vector Multiplication, SC 2016).

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarp = 32;
constexpr unsigned kNoRow = 0xffffffffu;
constexpr unsigned kSteps = 8;  // of the path, for each thread
constexpr unsigned kTile = kThreads * kSteps;
constexpr unsigned kAll = 0xffffffffu;
constexpr std::size_t kMostBlocks = 4096;  // of kernels whose threads go on in rounds

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

// How many of the rows end before the path crosses this diagonal: the path goes down at the end of
// a row, and to the right at an entry. Entries are counted from `first`.
__device__ unsigned RowsBefore(unsigned diagonal, const unsigned* ends, unsigned rows,
                               unsigned first, unsigned entries) {
  unsigned low = diagonal > entries ? diagonal - entries : 0;
  unsigned high = min(diagonal, rows);
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (ends[middle] <= first + (diagonal - 1 - middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Adds up what neighbouring lanes of a warp have for the same row; the last one of them adds it to
// y. All lanes come here, those without a row with kNoRow.
__device__ void AddRuns(unsigned row, float sum, float* y) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned row_before = __shfl_up_sync(kAll, row, 1);
  const unsigned begins = __ballot_sync(kAll, lane == 0 || row_before != row);
  const unsigned first = kWarp - 1 - __clz(begins & kAll >> (kWarp - 1 - lane));
  for (unsigned offset = 1; offset < kWarp; offset *= 2) {
    const float sum_before = __shfl_up_sync(kAll, sum, offset);
    if (lane >= first + offset) sum += sum_before;
  }
  const bool is_last = lane == kWarp - 1 || (begins >> (lane + 1) & 1) != 0;
  if (is_last && row != kNoRow) atomicAdd(&y[row], sum);
}

// y is 0 before. Each block walks along kTile steps of the path.
__global__ void MergeKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                            const float* x, float* y, unsigned rows, unsigned entries) {
  __shared__ unsigned crossings[2];
  __shared__ unsigned ends[kTile];
  __shared__ float products[kTile];
  const unsigned begin = blockIdx.x * kTile;
  const unsigned steps = min(kTile, rows + entries - begin);
  const unsigned t = threadIdx.x;
  if (t < 2) crossings[t] = RowsBefore(begin + t * steps, pointers + 1, rows, 0, entries);
  __syncthreads();
  const unsigned first_row = crossings[0];
  const unsigned first = begin - first_row;
  const unsigned rows_here = crossings[1] - first_row;
  const unsigned entries_here = steps - rows_here;
  for (unsigned i = t; i < entries_here; i += kThreads) {
    products[i] = values[first + i] * x[columns[first + i]];
  }
  for (unsigned i = t; i < rows_here; i += kThreads) ends[i] = pointers[first_row + i + 1];
  __syncthreads();

  const unsigned step = min(t * kSteps, steps);
  const unsigned last_step = min(step + kSteps, steps);
  unsigned row = RowsBefore(step, ends, rows_here, first, entries_here);
  unsigned entry = step - row;
  float sum = 0;
  bool began_here = false;
  for (unsigned i = step; i < last_step; ++i) {
    if (row == rows_here || first + entry < ends[row]) {
      sum += products[entry++];
      continue;
    }
    if (began_here) {
      y[first_row + row] = sum;
    } else {
      atomicAdd(&y[first_row + row], sum);
    }
    ++row;
    sum = 0;
    began_here = true;
  }
  // What follows of the row is another thread's.
  AddRuns(first_row + row < rows ? first_row + row : kNoRow, sum, y);
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

__global__ void JaggedKernel(const unsigned* order, const unsigned* pointers,
                             const unsigned* columns, const float* values, const float* x, float* y,
                             unsigned rows, unsigned diagonals) {
  const unsigned place = Thread();
  if (place >= rows) return;
  float sum = 0;
  unsigned begin = 0;
  for (unsigned d = 0; d < diagonals; ++d) {
    const unsigned end = pointers[d + 1];
    if (place >= end - begin) break;  // the row has no entry d
    const unsigned k = begin + place;
    sum += values[k] * x[columns[k]];
    begin = end;
  }
  y[order[place]] = sum;
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
  CUDA_CHECK(cudaMemsetAsync(y.data(), 0, y.size_bytes(), stream));
  const std::size_t entries = values.size();
  MergeKernel<<<BlocksFor(rows + entries, kTile), kThreads, 0, stream>>>(
      row_pointers.data(), column_indices.data(), values.data(), x.data(), y.data(),
      static_cast<unsigned>(rows), static_cast<unsigned>(entries));
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
  JaggedKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      row_order.data(), diagonal_pointers.data(), column_indices.data(), values.data(), x.data(),
      y.data(), static_cast<unsigned>(rows), static_cast<unsigned>(diagonal_pointers.size() - 1));
  CUDA_CHECK(cudaGetLastError());
}
