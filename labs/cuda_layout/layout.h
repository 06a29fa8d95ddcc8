#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/device_span.h"

// Functions that move data and compute nothing with it: every word of a result is a word of the
// input, bit by bit, also where it is a float that is NaN or -0. There is one right answer.
//
// Sizes are numbers of elements; any of them may be 0. Every span has fewer than 2^31 elements, so
// a number of elements and an index fit in 32 bits; a number of bytes need not. A call that has
// nothing to write does nothing: a grid without blocks is an invalid launch.
//
// Memory: all spans lie in device memory, aligned as cudaMalloc does it, to 256 bytes. The spans of
// a call do not overlap. Inputs (const) are not written. What results and workspaces held before
// is arbitrary. Memory outside a span (beyond its end) must not be accessed.
//
// Stream: all work is launched into `stream`. A call may return before it is done; the caller
// waits for the stream before it reads the results. Several calls may be under way at the same
// time, on streams, results and workspaces of their own, from several threads. No call depends on
// what another one left behind.
//
// Errors: lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
// fails, a launch included. What the function allocated is freed then, too.

/// The state of a gas in a cell of a grid: five words.
struct Cell {
  float density;
  float momentum_x;
  float momentum_y;
  float momentum_z;
  float energy;
};

/// How many fields a Cell has.
inline constexpr std::size_t kCellFields = 5;

/// From an array of structs to a struct of arrays: all densities, then all momenta in x, and so on.
///
/// @param cells   n cells.
/// @param fields  kCellFields n numbers. fields[f n + i] becomes field f of cells[i].
/// @par Complexity  Each word is read once and written once, coalesced on both sides.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  section 6.1 (corner turning).
void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream);

/// And back: cells[i]'s field f becomes fields[f n + i].
///
/// @param fields  kCellFields n numbers.
/// @param cells   n cells.
/// @par Complexity, Source  as for StructsToArrays.
void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream);

/// Each place takes its value from the index that it names: out[i] = values[sources[i]], and 0
/// where sources[i] >= n.
///
/// @param values   n numbers.
/// @param sources  m indices, any numbers. Several may be equal, and values may be left over.
/// @param out      m numbers, all of which are written.
/// @par Complexity  m reads wherever `sources` says; all other accesses are coalesced.
/// @par Source      Blelloch, "Prefix sums and their applications", 1990 (permute).
void Gather(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint32_t> sources,
            DeviceSpan<std::uint32_t> out, cudaStream_t stream);

/// Each value goes to the index that it names: out[targets[i]] = values[i], and nowhere if
/// targets[i] >= m. Where several values have the same target, the one with the largest i wins, as
/// in a loop over i; where none has it, out keeps what it held.
///
/// @param values, targets  n numbers and n indices, any numbers.
/// @param out              m numbers, of which only targets are written.
/// @param workspace        ScatterWorkspaceSize(m) words.
/// @par Complexity  O(n + m) work, at most one atomic operation for each value.
void Scatter(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint32_t> targets,
             DeviceSpan<std::uint32_t> out, DeviceSpan<std::uint32_t> workspace,
             cudaStream_t stream);

/// How many words the workspace of a scatter to m places has: a word for each, and a few more.
constexpr std::size_t ScatterWorkspaceSize(std::size_t m) { return m + 64; }

/// The transpose of a matrix: out(column, row) = in(row, column). Both are stored by rows:
/// in(row, column) is in[row columns + column], out(column, row) is out[column rows + row]. The
/// tile in shared memory has a padding, so that its columns have no bank conflicts.
///
/// @param in, out        rows columns numbers each.
/// @param rows, columns  0 <= rows, columns <= 2^19, and rows columns < 2^31.
/// @par Complexity  Each word is read once and written once, coalesced on both sides.
/// @par Source      Ruetsch, Micikevicius, "Optimizing matrix transpose in CUDA", NVIDIA, 2009.
void Transpose(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
               cudaStream_t stream);

/// The same without padding: a tile of 32 x 32 words takes at most 4,096 bytes of shared memory,
/// and its words are permuted within their rows so that neither rows nor columns have bank
/// conflicts.
///
/// @param in, out, rows, columns  as for Transpose.
void TransposeSwizzled(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                       cudaStream_t stream);

/// How many words the workspace has with which n items are compacted, split, sorted, expanded or
/// unsplit: enough for a copy of all keys and payloads and two numbers for each of them.
constexpr std::size_t WorkspaceSize(std::size_t n) { return 4 * n + 4096; }

/// Stable compaction: the values whose flag is not 0, in their order, without gaps.
///
/// @param values     n numbers.
/// @param flags      n flags. Any number but 0 says that the value is kept.
/// @param kept       n numbers. The first count[0] of them become the values that are kept; the
///                   others keep what they held.
/// @param count      one number: how many values are kept. It is written for n = 0, too.
/// @param workspace  WorkspaceSize(n) words.
/// @par Complexity  O(n) work; a few reads of each flag, one of each value that is kept.
/// @par Source      Blelloch, as above, section 1.3; Billeter, Olsson, Assarsson, "Efficient stream
///                  compaction on wide SIMD many-core architectures", HPG 2009.
void Compact(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<std::uint32_t> kept, DeviceSpan<std::uint32_t> count,
             DeviceSpan<std::uint32_t> workspace, cudaStream_t stream);

/// Stable split: first the items in whose key the bit is 0, then those in whose key it is 1, both
/// in their order. An item is a key and its payload.
///
/// @param keys, payloads          n numbers each.
/// @param bit                     0 <= bit < 32; bit 0 is the lowest.
/// @param split_keys, split_payloads  n numbers each.
/// @param workspace               WorkspaceSize(n) words.
/// @par Complexity  O(n) work.
/// @par Source      Blelloch, as above, section 1.3.
void SplitByBit(DeviceSpan<const std::uint32_t> keys, DeviceSpan<const std::uint32_t> payloads,
                int bit, DeviceSpan<std::uint32_t> split_keys,
                DeviceSpan<std::uint32_t> split_payloads, DeviceSpan<std::uint32_t> workspace,
                cudaStream_t stream);

/// Stable radix sort: the items in ascending order of their keys, as unsigned numbers; items with
/// equal keys in their order.
///
/// @param keys, payloads                n numbers each.
/// @param sorted_keys, sorted_payloads  n numbers each.
/// @param workspace                     WorkspaceSize(n) words.
/// @par Complexity  O(n) work for each pass; 32 / r passes with digits of r bits.
/// @par Source      Hwu, Kirk, El Hajj, as above, sections 13.3 to 13.6; Satish, Harris, Garland,
///                  "Designing efficient sorting algorithms for manycore GPUs", IPDPS 2009;
///                  Merrill, Grimshaw, "High performance and scalable radix sorting", Parallel
///                  Processing Letters 21(2), 2011.
void RadixSort(DeviceSpan<const std::uint32_t> keys, DeviceSpan<const std::uint32_t> payloads,
               DeviceSpan<std::uint32_t> sorted_keys, DeviceSpan<std::uint32_t> sorted_payloads,
               DeviceSpan<std::uint32_t> workspace, cudaStream_t stream);

/// Shift: out[i] = values[i - distance], and `fill` where there is no such value.
///
/// @param values    n numbers.
/// @param distance  any number, also beyond n; below 0 values go to lower indices.
/// @param out       n numbers, all of which are written.
/// @par Complexity  Each value is read once at most, coalesced.
/// @par Source      McCool, Robison, Reinders, Structured Parallel Programming, 2012, chapter 6.
void Shift(DeviceSpan<const std::uint32_t> values, int distance, std::uint32_t fill,
           DeviceSpan<std::uint32_t> out, cudaStream_t stream);

/// Expand: each value counts[i] times, in the order of the values.
///
/// @param values, counts  n numbers each. The sum of the counts is below 2^31.
/// @param out             as many numbers as the counts add up to.
/// @param workspace       WorkspaceSize(n) words.
/// @par Complexity  O(n + m log n) work for m results, and no thread does much more than others,
///                  however the counts differ.
/// @par Source      McCool, Robison, Reinders, as above; Baxter, Modern GPU, NVIDIA, 2013 (load
///                  balancing search).
void Expand(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint32_t> counts,
            DeviceSpan<std::uint32_t> out, DeviceSpan<std::uint32_t> workspace,
            cudaStream_t stream);

/// Unsplit, the inverse of a split: `split` has first the values whose flag is 0, then those whose
/// flag is not 0, both in their order; out[i] becomes the one whose flag is flags[i].
///
/// @param split, flags  n numbers and n flags. Any number but 0 is set.
/// @param out           n numbers.
/// @param workspace     WorkspaceSize(n) words.
/// @par Complexity  O(n) work; a few reads of each flag, one of each value.
/// @par Source      McCool, Robison, Reinders, as above.
void Unsplit(DeviceSpan<const std::uint32_t> split, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<std::uint32_t> out, DeviceSpan<std::uint32_t> workspace,
             cudaStream_t stream);
