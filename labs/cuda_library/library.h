#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/device_span.h"

// Sizes are numbers of elements; any of them may be 0, and every span has fewer than 2^31 elements.
// A call that has nothing to write does nothing: a grid without blocks is an invalid launch.
//
// Memory: all spans lie in device memory, aligned as cudaMalloc does it, to 256 bytes. The spans of
// a call do not overlap. Inputs (const) are not written. What results and storage held before is
// arbitrary. Memory outside a span (beyond its end) must not be accessed.
//
// Stream: all work is launched into `stream`: algorithms of Thrust with
// thrust::cuda::par.on(stream) or par_nosync.on(stream), those of CUB with `stream` as their last
// argument. A call may return before the work is done; the caller waits for the stream before it
// reads the results. Several calls may be under way at the same time, on streams, results and
// storage of their own, from several threads. No call depends on what another one left behind.
//
// Errors: lab::CudaError (from CUDA_CHECK), thrust::system_error, or another std::exception, when a
// call of the runtime or of a library fails, a launch included. What the function allocated is
// freed then, too.

/// The Euclidean distance of two points: the root of the sum of (x[i] - y[i])^2.
///
/// @param x, y      n coordinates each; n may be 0, and then the distance is 0.
/// @param distance  One number.
/// @par Rounding    Differences, squares and the sum are computed in double, in any order: the
///                  result is off by at most (n + 16) 2^-53 of itself. (In float the squares of
///                  10^30 would overflow, and in an int fractions would be lost.)
/// @par Special values  With a NaN, or with infinities of one sign in x[i] and y[i], the result is
///                  NaN; else with an infinity it is infinity.
/// @par Complexity  Each coordinate is read once; nothing of n elements is written.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  chapter 10; thrust::transform_reduce.
void Distance(DeviceSpan<const float> x, DeviceSpan<const float> y, DeviceSpan<double> distance,
              cudaStream_t stream);

/// How often each key occurs.
///
/// @param keys      n keys, each below 2^key_bits, in any order.
/// @param key_bits  1 <= key_bits <= 32.
/// @param distinct  n numbers. The first number[0] of them become the different keys, ascending.
/// @param counts    n numbers. counts[i] becomes how often distinct[i] occurs.
/// @param number    One number: how many different keys there are, 0 for n = 0. What distinct and
///                  counts hold from there on is arbitrary.
/// @par Complexity  A stable sort by digits of 8 bits, as many as key_bits asks for, and one pass
///                  over the sorted keys. Device memory for a copy of the keys.
/// @par Source      Bell, Hoberock, "Thrust: a productivity-oriented library for CUDA", GPU
///                  Computing Gems, Jade edition, 2011.
void CountKeys(DeviceSpan<const std::uint32_t> keys, int key_bits,
               DeviceSpan<std::uint32_t> distinct, DeviceSpan<std::uint32_t> counts,
               DeviceSpan<std::uint32_t> number, cudaStream_t stream);

/// The k best of n records, whose fields lie in arrays of their own: those with the largest scores,
/// in descending order; of records with equal scores the one with the smaller index comes first.
///
/// @param scores    n numbers, none of them NaN. -0 and 0 are equal.
/// @param ids       n numbers, any.
/// @param weights   n numbers, any 32 bits.
/// @param top_ids   k numbers, 0 <= k <= n: the ids of the k best.
/// @param top_weights  k numbers: their weights.
/// @par Complexity  A sort of n scores and indices; ids and weights are read k times.
/// @par Source      As above: a structure of arrays, and indices in place of records.
void TopRecords(DeviceSpan<const float> scores, DeviceSpan<const std::uint32_t> ids,
                DeviceSpan<const float> weights, DeviceSpan<std::uint32_t> top_ids,
                DeviceSpan<float> top_weights, cudaStream_t stream);

/// How many bytes of temporary storage RowOffsets gets for n rows.
constexpr std::size_t RowOffsetsStorage(std::size_t n) { return n + (1 << 16); }

/// The row pointers of a sparse matrix in CSR, and which rows have an element.
///
/// @param lengths   n numbers: how many elements each row has. Their sum is below 2^32.
/// @param offsets   n + 1 numbers: where each row begins: offsets[i] is the sum of lengths[0] to
///                  lengths[i - 1], and offsets[n] the sum of all.
/// @param nonempty  n numbers. The first number[0] of them become the indices of the rows whose
///                  length is not 0, ascending; what it holds from there on is arbitrary.
/// @param number    One number: how many rows have an element. 0 for n = 0.
/// @param storage   RowOffsetsStorage(n) bytes, for the library: the function allocates nothing and
///                  does not wait for the device. If the library needs more, it throws.
/// @par Complexity  Each length is read twice at most.
/// @par Source      Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back",
///                  NVIDIA, 2016; cub::DeviceScan and cub::DeviceSelect.
void RowOffsets(DeviceSpan<const std::uint32_t> lengths, DeviceSpan<std::uint32_t> offsets,
                DeviceSpan<std::uint32_t> nonempty, DeviceSpan<std::uint32_t> number,
                DeviceSpan<std::uint8_t> storage, cudaStream_t stream);

/// The longest row of SoftmaxRows.
inline constexpr int kMaxColumns = 1024;

/// The softmax of each row of a matrix that is stored by rows: exp(x - m) divided by the sum of
/// exp(x - m) over the row, where m is the row's largest number.
///
/// @param logits         rows columns numbers, finite, between -10^4 and 10^4.
/// @param probabilities  rows columns numbers.
/// @param rows, columns  0 <= rows, 0 <= columns <= kMaxColumns, and rows columns < 2^31.
/// @par Rounding    In float, in any order: off by at most 10^-5 of the result and 10^-9. Without m
///                  the exponentials overflow from 89 on.
/// @par Complexity  One launch, in which each number is read once and each result written once.
/// @par Source      Milakov, Gimelshein, "Online normalizer calculation for softmax", NVIDIA, 2018;
///                  cub::BlockReduce.
void SoftmaxRows(DeviceSpan<const float> logits, DeviceSpan<float> probabilities, int rows,
                 int columns, cudaStream_t stream);
