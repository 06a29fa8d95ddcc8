#pragma once

#include <cstddef>

#include "common/cuda/device_span.h"

// A sparse matrix A times a dense vector x: y = A x. Floats and `unsigned` are 32 bits wide. All
// spans lie in device memory, aligned as cudaMalloc does it: to 256 bytes. They do not overlap.
// Work is launched on the given stream; a call may return before it is done, so the caller waits
// for the stream. No call depends on what another one left behind, and several may be
// under way at the same time on streams of their own, from several threads.
//
// In all functions
//  * A has y.size() rows and x.size() columns; entries are counted from 0; rows, columns, entries
//    and slots are each fewer than 2^31, and any of them may be 0;
//  * column indices are less than x.size(), row indices less than y.size(): inputs are right;
//  * a row may have no entry, or one in each column, or several in one column, which add up; the
//    entries of a row may come in any order;
//  * y is overwritten, not added to; y[r] is 0 for a row r without entries.
//
// Rounding: y[r] is a sum of L products, L being the number of entries in row r. They may be added
// in any order, and may be fused with the additions. Each goes through one rounding of its own and
// L - 1 additions, so that y[r] is wrong by at most g * sum |a[r, c] * x[c]| over its entries,
// where g = L u / (1 - L u) and u = 2^-24. Additions of 0 do not count. If all products are whole
// and their absolute values add up to 2^24 at most, nothing rounds: there is one right answer.
//
// Special values: NaN and infinities in a row or in the elements of x that it names give what
// IEEE 754 says; an entry of 0 is an entry like any other, 0 times infinity is NaN. An element
// of x that a row does not name must not affect it. The sign of a zero is free. No
// sum overflows in any order, and no product is closer to zero than 2^-126, but zero itself:
// atomicAdd takes such for zero on a GPU.
//
// Sources: Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition, chapter 14;
// Bell, Garland, Efficient Sparse Matrix-Vector Multiplication on CUDA, NVIDIA Technical Report
// NVR-2008-004, 2008.

/// y = A x with a thread for each row. A is in compressed sparse rows (CSR): the entries of row r
/// are those from row_pointers[r] to row_pointers[r + 1], without the latter.
///
/// @param row_pointers    y.size() + 1 of them, ascending from 0 to the number of entries.
/// @param column_indices  One for each entry.
/// @param values          As many.
/// @param x               Read only.
/// @param y               One number for each row.
/// @param stream          Where the work is launched.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, a launch included. What the function allocated is freed then, too.
/// @par Complexity  Each entry is read once; each y[r] is written once and never read.
void MultiplyByThreads(DeviceSpan<const unsigned> row_pointers,
                       DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// The same, where the lanes of a warp share a row: neighbouring lanes take neighbouring entries.
///
/// @param row_pointers, column_indices, values, x, y, stream  As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each entry is read once; a warp makes one or two atomic additions to a row at
///                  most.
/// @par Source      Bell, Garland, as above: the vector kernel.
void MultiplyByWarps(DeviceSpan<const unsigned> row_pointers,
                     DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                     DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// The column of a slot that no entry fills.
inline constexpr unsigned kNoColumn = 0xffffffffu;

/// Puts a CSR matrix into the layout ELL: each row has `width` slots, and slot s of row r stands at
/// s * rows + r. Entry i of a row goes into its slot i; slots that are left over get the column
/// kNoColumn and the value 0.
///
/// @param row_pointers, column_indices, values  As for MultiplyByThreads. rows =
///                     row_pointers.size() - 1 >= 0.
/// @param ell_columns  width * rows slots, where no row has more than `width` entries. The width is
///                     ell_columns.size() / rows, and may be larger than the longest row. Each slot
///                     is overwritten.
/// @param ell_values   As many.
/// @param stream       Where the work is launched.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each entry is read once, each slot is written once.
void BuildEll(DeviceSpan<const unsigned> row_pointers, DeviceSpan<const unsigned> column_indices,
              DeviceSpan<const float> values, DeviceSpan<unsigned> ell_columns,
              DeviceSpan<float> ell_values, cudaStream_t stream);

/// y = A x for a matrix in ELL, as BuildEll gives it.
///
/// @param ell_columns, ell_values  width * y.size() slots; see BuildEll. kNoColumn is not an index.
/// @param x, y, stream             As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each slot is read at most once, each y[r] written once.
void MultiplyEll(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                 DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// y = A x for a matrix in coordinates (COO): entry k stands at (row_indices[k],
/// column_indices[k]).
///
/// @param row_indices     One for each entry, in any order: it need not be sorted.
/// @param column_indices  As many.
/// @param values          As many.
/// @param x, y, stream    As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each entry is read once; at most one atomic operation for it.
void MultiplyCoo(DeviceSpan<const unsigned> row_indices, DeviceSpan<const unsigned> column_indices,
                 DeviceSpan<const float> values, DeviceSpan<const float> x, DeviceSpan<float> y,
                 cudaStream_t stream);

/// y = A x for a matrix of two parts, which add up: the first entries of each row in ELL, and those
/// for which it is not wide enough in COO.
///
/// @param ell_columns, ell_values              As for MultiplyEll; the width may be 0.
/// @param row_indices, column_indices, values  As for MultiplyCoo; there may be none.
/// @param x, y, stream                         As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each slot and entry is read at most once; atomic operations for the second part
///                  alone.
/// @par Source      Bell, Garland, as above.
void MultiplyHybrid(DeviceSpan<const unsigned> ell_columns, DeviceSpan<const float> ell_values,
                    DeviceSpan<const unsigned> row_indices,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// y = A x for a matrix in jagged diagonals: rows stand in the order of their lengths, the longest
/// first, and diagonal d has entry d of each row that has more than d entries, side by side. Entry
/// d of the row at place i stands at diagonal_pointers[d] + i, if i is less than the length of
/// diagonal d, diagonal_pointers[d + 1] - diagonal_pointers[d]. Diagonals get shorter, or stay as
/// long, from each to the next.
///
/// @param row_order          y.size() of them: row_order[i] is the row at place i, each row once.
/// @param diagonal_pointers  As many as the longest row has entries, and one more; the first one is
///                           0, the last one the number of entries.
/// @param column_indices     One for each entry.
/// @param values             As many.
/// @param x, y, stream       As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each entry is read once; each y[r] is written once, or, where a long row is cut
///                  into pieces, once for each piece.
/// @par Source      Saad, Krylov Subspace Methods on Supercomputers, SIAM Journal on Scientific and
///                  Statistical Computing 10(6), 1989.
void MultiplyJagged(DeviceSpan<const unsigned> row_order,
                    DeviceSpan<const unsigned> diagonal_pointers,
                    DeviceSpan<const unsigned> column_indices, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// y = A x for a matrix in diagonals (DIA): diagonal d has the elements at (r, r + offsets[d]),
/// each at d * y.size() + r. Places whose column does not exist, for it is negative or not less
/// than x.size(), hold anything, NaN as well, and do not count. All other elements of a diagonal
/// are entries, zeros as well.
///
/// @param offsets       One for each diagonal, ascending; -y.size() < offset < x.size().
/// @param values        y.size() * offsets.size() places.
/// @param x, y, stream  As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each place is read at most once, each y[r] written once.
/// @par Source      Bell, Garland, as above.
void MultiplyDiagonals(DeviceSpan<const int> offsets, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// y = A x for a matrix in compressed sparse columns (CSC): the entries of column c are those from
/// column_pointers[c] to column_pointers[c + 1], without the latter. So are the rows of the
/// transpose of A in CSR.
///
/// @param column_pointers  x.size() + 1 of them, ascending from 0 to the number of entries.
/// @param row_indices      One for each entry.
/// @param values           As many.
/// @param x, y, stream     As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each entry is read once; at most one atomic operation for it.
void MultiplyByColumns(DeviceSpan<const unsigned> column_pointers,
                       DeviceSpan<const unsigned> row_indices, DeviceSpan<const float> values,
                       DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);

/// Rows and columns of a block.
inline constexpr unsigned kBlockEdge = 4;

/// y = A x for a matrix in blocks (BCSR): blocks of kBlockEdge x kBlockEdge elements in compressed
/// sparse rows. The blocks of block row R, which is rows R * kBlockEdge and so on, are those from
/// block_row_pointers[R] to block_row_pointers[R + 1], without the latter. Block k begins at column
/// block_columns[k] * kBlockEdge, and its elements stand row by row from
/// k * kBlockEdge * kBlockEdge on. Each is an entry, zeros as well.
///
/// @param block_row_pointers  y.size() / kBlockEdge + 1 of them, ascending from 0 to the number of
///                            blocks. y.size() and x.size() are multiples of kBlockEdge.
/// @param block_columns       One for each block.
/// @param values              kBlockEdge * kBlockEdge for each block.
/// @param x, y, stream        As for MultiplyByThreads.
/// @throws as MultiplyByThreads.
/// @par Complexity  Each element is read once; each y[r] is written once.
/// @par Source      Im, Yelick, Vuduc, Sparsity: Optimization Framework for Sparse Matrix Kernels,
///                  International Journal of High Performance Computing Applications 18(1), 2004.
void MultiplyBlocks(DeviceSpan<const unsigned> block_row_pointers,
                    DeviceSpan<const unsigned> block_columns, DeviceSpan<const float> values,
                    DeviceSpan<const float> x, DeviceSpan<float> y, cudaStream_t stream);
