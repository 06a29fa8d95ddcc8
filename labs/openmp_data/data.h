#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// A parallel region of the caller may call these functions, too. If it nests no regions, as OpenMP
// does by default, those of the function get one thread; the result is the same. Several callers
// may call at the same time, with outputs of their own.
//
// Spans do not overlap. What an output held before is overwritten and not read.

/// A piece of work: `rounds` steps, each of which needs the result of the one before it. About 2 ns
/// each.
inline std::uint64_t Mix(std::uint64_t value, std::uint32_t rounds) {
  for (; rounds > 0; --rounds) {
    value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15;
  }
  return value;
}

/// How many values the median filter looks at.
inline constexpr std::size_t kWindow = 9;

/// The values of a window in ascending order.
struct Window {
  float sorted[kWindow];
};

/// A median filter: out[i] is the median, the fifth in order, of in[i], …, in[i + 8].
///
/// @param in   n + kWindow - 1 values, n >= 1, read only. Infinities may be among them, NaNs are
///             not.
/// @param out  gets n medians.
/// @return     the values of the last window, in[n - 1], …, in[n + 7], in ascending order.
/// @par Complexity   n * kWindow * kWindow comparisons at most, shared by the threads of the
///                   region.
Window MedianFilter(std::span<const float> in, std::span<float> out);

/// A walk over bins: where it starts, and how long it is.
struct WalkOrder {
  std::uint64_t seed;
  std::uint32_t steps;
};

inline constexpr std::size_t kBins = 16;

/// A library's function, in C's style: the callback gets a bin and nothing of yours.
using Visitor = void (*)(std::size_t bin);

/// Walks, and calls visit(bin), bin < kBins, at each step. Deterministic.
inline void Walk(const WalkOrder& order, Visitor visit) {
  std::uint64_t place = order.seed;
  for (std::uint32_t step = 0; step < order.steps; ++step) {
    place = Mix(place, 4);
    visit(place >> 60);
  }
}

/// Executes walks by Walk() and keeps accounts of them.
///
/// @param walks    n >= 0 orders.
/// @param weights  kBins numbers, read only.
/// @param scores   gets n numbers: scores[i] is the sum of weights[bin] over all steps of walk i.
///                 All sums are modulo 2^64.
/// @param counts   gets kBins numbers: counts[bin] is how many steps of all walks visited it.
/// @par Complexity   Walk() once for each order, shared by the threads of the region; kBins
///                   additions a thread to combine. Nothing is shared at a step.
void TallyWalks(std::span<const WalkOrder> walks, std::span<const std::uint64_t> weights,
                std::span<std::uint64_t> scores, std::span<std::uint64_t> counts);

/// Unpacking sound: each sample needs the one before it.
inline std::uint64_t NextSample(std::uint64_t before, std::uint64_t packed) {
  return Mix(before + packed, 100);
}

/// Unpacking a picture: each pixel needs the one before it.
inline std::uint64_t NextPixel(std::uint64_t before, std::uint64_t packed) {
  return Mix(before ^ packed, 100);
}

/// Filters, which look at one sample or pixel alone.
inline std::uint64_t FilterSample(std::uint64_t sample) { return Mix(sample, 100); }
inline std::uint64_t FilterPixel(std::uint64_t pixel) { return Mix(~pixel, 100); }

/// Unpacks and filters sound and a picture, which have nothing to do with each other. With s[-1] =
/// 0, s[i] = NextSample(s[i - 1], packed_sound[i]) and sound[i] = FilterSample(s[i]); the same for
/// the picture with p[i] = NextPixel(p[i - 1], packed_picture[i]) and FilterPixel().
///
/// @param packed_sound    n >= 0 numbers, read only.
/// @param packed_picture  m >= 0 numbers, read only.
/// @param sound           gets n numbers.
/// @param picture         gets m numbers.
/// @par Complexity   Each of the four functions once for each number. Sound and picture at the same
///                   time, and each filter by several threads, of which there are
///                   omp_get_max_threads() in all, at least two. O(n + m) more memory is fine.
void UnpackBoth(std::span<const std::uint64_t> packed_sound,
                std::span<const std::uint64_t> packed_picture, std::span<std::uint64_t> sound,
                std::span<std::uint64_t> picture);

/// An entry of the table: a key, how often it stands among the keys, and the place of the next
/// entry in the same bucket.
struct Entry {
  std::uint64_t key;
  std::uint32_t count;
  std::uint32_t next;
};

/// In place of the next entry where there is none.
inline constexpr std::uint32_t kNoEntry = 0xffffffff;

/// The bucket of a key in a table of `buckets` buckets.
inline std::size_t BucketOf(std::uint64_t key, std::size_t buckets) {
  return Mix(key, 1) % buckets;
}

/// Counts keys in a hash table whose buckets are chains of entries.
///
/// @param keys     n keys, 0 <= n < 2^32 - 1, read only, any values in any order.
/// @param heads    one for each bucket, at least one: gets the place in `entries` of the bucket's
///                 first entry, or kNoEntry.
/// @param entries  the first d get one entry for each of the d different keys, and no others are
///                 written. There is room for d or more. The order of the entries, and that in a
///                 chain, is free.
/// @return         d.
/// @par Complexity   A search in one chain for each key, shared by the threads of the region. Keys
///                   of different buckets do not wait for each other, and a key that is already in
///                   the table is counted without waiting for a lock.
std::size_t CountKeys(std::span<const std::uint64_t> keys, std::span<std::uint32_t> heads,
                      std::span<Entry> entries);

/// Searches for a candidate whose hash value is known.
///
/// @param candidates  n >= 0 numbers, read only.
/// @param target      the hash value.
/// @param rounds      how much work a test is.
/// @return            some i with Mix(candidates[i], rounds) == target, any of them if there are
///                    several; n if there is none.
/// @par Complexity   n tests at most, shared by the threads of the region. After one thread has
///                   found a candidate, each other one ends the test, or the few, that it is at.
std::size_t FindMatch(std::span<const std::uint64_t> candidates, std::uint64_t target,
                      std::uint32_t rounds);
