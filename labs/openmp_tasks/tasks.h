#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// A parallel region of the caller may call these functions, too. If it nests no regions, as OpenMP
// does by default, those of the function get one thread; the result is the same.

/// The largest board of CountQueens.
inline constexpr std::size_t kMaxQueens = 16;

/// In how many ways n queens stand on a board of n x n squares so that none attacks another: no two
/// in one row, one column or one diagonal. In parallel, by tasks.
///
/// @param blocked  n rows, 0 <= n <= kMaxQueens, read only. Bit c of blocked[r] says that no queen
///                 may stand in row r and column c; bits n and above mean nothing and may be set. A
///                 blocked square doesn't stop a queen's attack.
/// @return  The number of ways. 1 for n = 0: the empty placement. 0 where a row is all blocked.
/// @par Thread safety   Several callers may count at the same time.
/// @par Complexity      Of the placements of the first r queens only those are continued in which
///                      none attacks another. For an empty board of 13 rows that are 4,674,890
///                      placements and 73,712 ways.
std::uint64_t CountQueens(std::span<const std::uint32_t> blocked);

/// Sorts `in` in ascending order into `out`, in parallel, by tasks.
///
/// @param in   n numbers, 0 <= n < 2^31, read only, any values in any order.
/// @param out  As many; doesn't overlap with `in`. What it held before is overwritten.
/// @par Thread safety   Several callers may sort at the same time.
/// @par Complexity      O(n log n) comparisons and O(log n) nested calls for every input, also for
///                      one that is sorted, reversed, all equal or an adversarial input for the
///                      choice of a pivot. O(n) more memory is fine.
void SortNumbers(std::span<const int> in, std::span<int> out);

/// The edit distance of two texts (Levenshtein): the fewest characters that must be inserted,
/// deleted or replaced to turn `a` into `b`. In parallel, by tasks of `block` x `block` cells.
///
/// @param a, b   n and m characters, any bytes, read only; n, m >= 0 and n + m < 2^31. They may
///               overlap or be the same.
/// @param block  Rows and columns of the table that a task fills, >= 1; those at the end may be
///               smaller. May be larger than n and m. The result doesn't depend on it.
/// @return  The distance, between |n - m| and max(n, m).
/// @par Thread safety   Several callers may compare at the same time.
/// @par Complexity      n * m cells. Memory: the whole table of int is fine if nothing clears it
///                      first: a std::vector would, with one thread. n + m numbers, and those of
///                      one block, are enough.
int EditDistance(std::span<const char> a, std::span<const char> b, std::size_t block);
