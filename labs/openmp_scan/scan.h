#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// A parallel region of the caller may call these functions, too. If it nests no regions, as OpenMP
// does by default, those of the function get one thread; the result is the same.

/// The inclusive scan of `values`: every sum from the first value up to and with each value, in
/// parallel.
///
/// @param values  n numbers, 0 <= n < 2^31, read only.
/// @param sums    n numbers, not overlapping with `values`. Afterwards sums[i] is
///                values[0] + ... + values[i]. What they held before is overwritten.
/// @par Exactness       Every sum of up to 2^31 values fits in 64 bits: none overflows, in whatever
///                      order it is added, and there is one right answer.
/// @par Thread safety   Several callers may scan at the same time, each into sums of its own.
/// @par Complexity      At most 2n additions, shared by the threads of the region, and a few for
///                      each tile. At most n more numbers of memory.
void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums);

/// The exclusive scan of `counts`: for each count the sum of all counts before it, in parallel. If
/// counts[i] is the size of group i, starts[i] is the index where it begins when all groups lie one
/// after the other.
///
/// @param counts  n numbers, 0 <= n < 2^31, read only. A count may be 0: the next group then starts
///                at the same place.
/// @param starts  n numbers, not overlapping with `counts`. Afterwards starts[0] is 0, and
///                every other starts[i] is counts[0] + ... + counts[i - 1]. The sum of all
///                counts is written nowhere.
/// @par Exactness, thread safety, complexity   As for InclusiveScan.
void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts);

/// Packs the values above `limit`: writes those, and only those, to the front of `kept`, in the
/// order in which they stand in `values`, in parallel.
///
/// @param values  n numbers, 0 <= n < 2^31, read only. Any float: a value is kept if
///                `value > limit` is true, so a NaN never is, nor is a value equal to the limit (-0
///                and 0 are equal).
/// @param limit   Any float. Above NaN or +infinity there is no value.
/// @param kept    Room for n numbers, not overlapping with `values`. The elements from the returned
///                count on hold afterwards what they held before.
/// @return        How many values were kept: 0 to n.
/// @par Thread safety   Several callers may pack at the same time, each into room of its own.
/// @par Complexity      Each value is read at most twice, shared by the threads of the region, and
///                      a few additions for each tile.
std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept);
