#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/device_span.h"

// Floats are 32 bits wide, sizes are numbers of elements. All spans lie in device memory, aligned
// as cudaMalloc does it: to 256 bytes. Work is launched on the given stream; a call may return
// before it is done, so the caller waits for the stream. No call depends on what another
// one left behind, and several may be under way at the same time on streams of their own, from
// several threads.

/// How many values one block adds up at most in SumTile.
inline constexpr std::size_t kTile = 2048;

/// Adds up to kTile values with one block: a tree in shared memory.
///
/// @param values  n numbers, 0 <= n <= kTile, read only. n need not be a power of two.
/// @param sum     One number, not overlapping with `values`. Afterwards it is their sum, 0 for
///                n = 0. What it held before is overwritten, not added to.
/// @param stream  Where the kernel is launched.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, a launch included. What the function allocated is freed then, too.
/// @par Rounding    Additions in float, in any order. No value takes part in more than D = kTile
///                  of them, so that the sum is wrong by at most g * sum |values[i]|, where
///                  g = D u / (1 - D u) and u = 2^-24. If sum |values[i]| <= 2^24 and all
///                  values are whole, no addition rounds: there is one right answer.
/// @par Special values  With a NaN, or infinities of both signs, the sum is NaN; else an infinity
///                  makes it that infinity. The sign of a zero sum is free. The absolute values add
///                  up to less than 2^127, so that no order overflows. No value is closer to zero
///                  than 2^-126, but zero itself: atomicAdd takes such for zero on a GPU.
/// @par Complexity  n additions, about log2 n steps; each value is read once; one launch of one
///                  block.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  sections 10.3 to 10.6.
void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream);

/// Adds any number of values with as many blocks as it takes, into one result.
///
/// @param values, sum, stream  As for SumTile, but 0 <= n < 2^40: where n is that large, indices
///                  need 64 bits.
/// @throws as SumTile.
/// @par Rounding    As for SumTile, with D = n / 64 + 1024. Any tree keeps far below that; a sum to
///                  which value after value is added does not.
/// @par Special values  As for SumTile.
/// @par Complexity  n additions; each value is read once; at most a few further accesses for
///                  each block. At most one more float of device memory for each block.
/// @par Source      As above, section 10.7; Harris, Optimizing Parallel Reduction in CUDA, NVIDIA,
///                  2007.
void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream);

/// The same sum, where a thread first adds many values in a register, and warps then pass partial
/// sums from register to register.
///
/// @param values, sum, stream  As for Sum.
/// @throws, @par Rounding, special values  As for Sum.
/// @par Complexity  n additions; each value is read once; one float and one barrier or two for each
///                  warp or block, however many values it has.
/// @par Source      As above, section 10.8; Luitjens, Faster Parallel Reductions on Kepler, NVIDIA
///                  Technical Blog, 2014.
void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream);

/// A largest value and where it stands.
struct MaxLocation {
  float value;
  std::int64_t index;
};

/// The largest of `values` and the first place where it stands. The values are a piece of a longer
/// series: `values[i]` is number first + i of the series, and this is the index to give.
///
/// @param values   n numbers, 0 <= n < 2^32, read only. NaNs are ignored: they are never the
///                 maximum. -0 and 0 are equal.
/// @param first    The index of values[0] in the series, 0 <= first <= 2^62. It may be beyond all
///                 that 32 bits hold.
/// @param maximum  One element, not overlapping with `values`. Afterwards {values[i], first + i}
///                 with the smallest i whose value is equal to the maximum. If there is no maximum,
///                 because n = 0 or all values are NaN, {-infinity, first + n}. A value of
///                 -infinity is a value like any other: for {-infinity} with first = 0 the index is
///                 0, not 1. The sign of a zero is free. What it held before is overwritten.
/// @param stream   Where the kernels are launched.
/// @throws as SumTile.
/// @par Complexity  n comparisons; each value is read once. At most a few numbers of device memory
///                  for each block.
/// @par Source      Hwu, Kirk, El Hajj, as above: a reduction by another operation.
void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream);
