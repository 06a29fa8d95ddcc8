// Made for a GPU: each thread asks for several entries before it needs the first one, entries pass
// by the cache that x stays in, and jagged diagonals are cut into pieces, so that a long row has
// many warps.

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

#include "common/cuda/check.h"
#include "labs/cuda_spmv/spmv.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarp = 32;
constexpr unsigned kRowsOfBlock = kThreads / kWarp;
constexpr unsigned kAtOnce = 8;  // slots
constexpr unsigned kDiagonalsAtOnce = 4;
constexpr unsigned kPiece = 32;  // diagonals
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kMostLongBlocks = 264;
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

// kWidth lanes for each row. Lanes without a row come to the shuffles, too.
template <unsigned kWidth>
__global__ void GroupsKernel(const unsigned* pointers, const unsigned* columns, const float* values,
                             const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * (kThreads / kWidth) + threadIdx.x / kWidth;
  const unsigned lane = threadIdx.x % kWidth;
  float sum = 0;
  if (row < rows) {
    const unsigned end = pointers[row + 1];
    unsigned k = pointers[row] + lane;
    for (; k + 3 * kWidth < end; k += 4 * kWidth) {
      unsigned column[4];
      float value[4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        column[i] = __ldcs(&columns[k + i * kWidth]);
        value[i] = __ldcs(&values[k + i * kWidth]);
      }
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) sum += value[i] * __ldg(&x[column[i]]);
    }
    for (; k < end; k += kWidth) sum += __ldcs(&values[k]) * __ldg(&x[__ldcs(&columns[k])]);
  }
  for (unsigned offset = kWidth / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(kAll, sum, offset, kWidth);
  }
  if (row < rows && lane == 0) y[row] = sum;
}

using Kernel = void(const unsigned*, const unsigned*, const float*, const float*, float*, unsigned);

struct Group {
  unsigned width;
  Kernel* kernel;
};

// The widest group in which each lane has four entries of a row of mean length.
Group GroupFor(std::size_t mean) {
  constexpr Group kGroups[] = {{32, GroupsKernel<32>}, {16, GroupsKernel<16>},
                               {8, GroupsKernel<8>},   {4, GroupsKernel<4>},
                               {2, GroupsKernel<2>},   {1, GroupsKernel<1>}};
  return *std::find_if(std::begin(kGroups), std::end(kGroups) - 1,
                       [mean](const Group& group) { return group.width <= mean / 4; });
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

// Slots of a row from the first one that is not full on are padding.
__global__ void EllKernel(const unsigned* columns, const float* values, const float* x, float* y,
                          unsigned rows, unsigned width) {
  const unsigned row = Thread();
  if (row >= rows) return;
  float sum = 0;
  bool full = true;
  unsigned slot = 0;
  for (; full && slot + kAtOnce <= width; slot += kAtOnce) {
    unsigned column[kAtOnce];
    float value[kAtOnce];
#pragma unroll
    for (unsigned i = 0; i < kAtOnce; ++i) {
      column[i] = __ldcs(&columns[(slot + i) * rows + row]);
      value[i] = __ldcs(&values[(slot + i) * rows + row]);
    }
#pragma unroll
    for (unsigned i = 0; i < kAtOnce; ++i) {
      if (column[i] != kNoColumn) sum += value[i] * __ldg(&x[column[i]]);
    }
    full = column[kAtOnce - 1] != kNoColumn;
  }
  for (; full && slot < width; ++slot) {
    const unsigned column = __ldcs(&columns[slot * rows + row]);
    full = column != kNoColumn;
    if (full) sum += __ldcs(&values[slot * rows + row]) * __ldg(&x[column]);
  }
  y[row] = sum;
}

__global__ void CooKernel(const unsigned* rows, const unsigned* columns, const float* values,
                          const float* x, float* y, unsigned entries) {
  for (unsigned k = Thread(); k < entries; k += gridDim.x * kThreads) {
    atomicAdd(&y[__ldcs(&rows[k])], __ldcs(&values[k]) * __ldg(&x[__ldcs(&columns[k])]));
  }
}

// Entries of the row at `place` in the diagonals from `first` to `last`, without the latter.
__device__ float SumOfDiagonals(unsigned first, unsigned last, unsigned place,
                                const unsigned* pointers, const unsigned* columns,
                                const float* values, const float* x) {
  float sum = 0;
  unsigned d = first;
  // Diagonals get shorter: where the last one of them reaches the place, all do.
  for (; d + kDiagonalsAtOnce <= last; d += kDiagonalsAtOnce) {
    unsigned begin[kDiagonalsAtOnce + 1];
#pragma unroll
    for (unsigned i = 0; i <= kDiagonalsAtOnce; ++i) begin[i] = __ldg(&pointers[d + i]);
    if (place >= begin[kDiagonalsAtOnce] - begin[kDiagonalsAtOnce - 1]) break;
    unsigned column[kDiagonalsAtOnce];
    float value[kDiagonalsAtOnce];
#pragma unroll
    for (unsigned i = 0; i < kDiagonalsAtOnce; ++i) {
      column[i] = __ldcs(&columns[begin[i] + place]);
      value[i] = __ldcs(&values[begin[i] + place]);
    }
#pragma unroll
    for (unsigned i = 0; i < kDiagonalsAtOnce; ++i) sum += value[i] * __ldg(&x[column[i]]);
  }
  for (; d < last; ++d) {
    const unsigned begin = __ldg(&pointers[d]);
    if (place >= __ldg(&pointers[d + 1]) - begin) break;
    sum += __ldcs(&values[begin + place]) * __ldg(&x[__ldcs(&columns[begin + place])]);
  }
  return sum;
}

// The first kPiece diagonals: a thread for each row.
__global__ void ShortKernel(const unsigned* order, const unsigned* pointers,
                            const unsigned* columns, const float* values, const float* x, float* y,
                            unsigned rows, unsigned diagonals) {
  const unsigned place = Thread();
  if (place >= rows) return;
  const unsigned last = min(diagonals, kPiece);
  y[order[place]] = SumOfDiagonals(0, last, place, pointers, columns, values, x);
}

// The others: blocks with blockIdx.y = i have the diagonals from kPiece * 2^i to kPiece * 2^(i +
// 1). These are cut into pieces of kPiece, and the rows that are so long into groups of a warp's
// lanes; each warp takes one such piece after the other. So nobody works long, however long a row
// is.
__global__ void LongKernel(const unsigned* order, const unsigned* pointers, const unsigned* columns,
                           const float* values, const float* x, float* y, unsigned diagonals) {
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
  const Group group = GroupFor(values.size() / rows);
  group.kernel<<<BlocksFor(rows, kThreads / group.width), kThreads, 0, stream>>>(
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
  ShortKernel<<<BlocksFor(rows), kThreads, 0, stream>>>(
      row_order.data(), diagonal_pointers.data(), column_indices.data(), values.data(), x.data(),
      y.data(), static_cast<unsigned>(rows), diagonals);
  CUDA_CHECK(cudaGetLastError());
  if (diagonals <= kPiece) return;
  const unsigned octaves = std::bit_width((diagonals - 1) / kPiece);
  const unsigned blocks = std::min(BlocksFor(values.size(), kThreads * kPiece), kMostLongBlocks);
  LongKernel<<<dim3(blocks, octaves), kThreads, 0, stream>>>(
      row_order.data(), diagonal_pointers.data(), column_indices.data(), values.data(), x.data(),
      y.data(), diagonals);
  CUDA_CHECK(cudaGetLastError());
}
