#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// A parallel region of the caller may call these functions, too. If it nests no regions, as OpenMP
// does by default, those of the function get one thread; the result is the same.

/// Where a smallest value lies, and what it is.
struct MinLocation {
  float value;
  std::size_t index;
};

/// How many groups of letters LetterHistogram counts.
inline constexpr std::size_t kLetterGroups = 7;

/// The dot product of `a` and `b`, sum of a[i] * b[i], in parallel.
///
/// @param a, b  n numbers each, n >= 0, read only. They may overlap or be the same.
/// @return  The sum in double precision, 0 for n = 0. The product of two floats is exact in double,
///          only the additions round: the result differs from the exact one by at most
///          n * 2^-53 * sum |a[i] * b[i]| (to first order), whatever the order of the additions.
///          NaN and infinities follow IEEE 754. The sign of a zero result is free.
/// @par Thread safety   Several callers may compute at the same time.
/// @par Complexity      n multiplications and additions, shared by the threads of the region, and
///                      one combination a thread.
double DotProduct(std::span<const float> a, std::span<const float> b);

/// The smallest of `values` and the first place where it stands, in parallel.
///
/// @param values  n numbers, n >= 0, read only. NaNs are ignored: they are never the minimum.
///                -0 and 0 are equal.
/// @return  {values[i], i} with the smallest i whose value is equal to the minimum. If there is no
///          minimum, because n = 0 or all values are NaN, {+infinity, n}. A value of +infinity is a
///          value like any other: for {+infinity} the index is 0, not 1.
/// @par Thread safety   Several callers may search at the same time.
/// @par Complexity      n comparisons, shared by the threads of the region, and one combination a
///                      thread.
MinLocation FirstMinimum(std::span<const float> values);

/// Counts the letters of `text` in groups of four, in parallel: a-d, e-h, i-l, m-p, q-t, u-x, y-z.
///
/// @param text  n characters, n >= 0, read only, any bytes. Only the small letters a to z are
///              counted; capitals, digits, letters with accents and all other bytes are not.
/// @param bins  kLetterGroups counters, not overlapping with `text`. What they held before is
///              overwritten, not added to.
/// @par Thread safety   Several callers may count at the same time, each into bins of its own.
/// @par Complexity      n tests and increments, shared by the threads of the region; 7 additions a
///                      thread to combine.
void LetterHistogram(std::span<const char> text, std::span<std::uint32_t> bins);
