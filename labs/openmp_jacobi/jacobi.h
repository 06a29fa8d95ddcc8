#pragma once

#include <cstddef>
#include <span>

// A plate of rows x columns cells; cell (i, j) is number i * columns + j. A cell is on the border
// if i is 0 or rows - 1, or j is 0 or columns - 1; the others are inner cells. Where rows or
// columns are less than 3 there are no inner cells.
//
// One Jacobi sweep leaves the border as it is and gives every inner cell the mean of its four
// neighbours, all of them from before the sweep:
//
//   next(i, j) = 0.25 * ((cell(i - 1, j) + cell(i + 1, j)) + (cell(i, j - 1) + cell(i, j + 1)))
//
// Rounding: in double, additions in exactly this order. The sum of the two sums is then rounded
// once, and a quarter of it is exact, except for numbers below 2^-1022. So each sweep has one right
// result, bit by bit, whatever the number of threads and however the plate is cut into pieces.
//
// Special values: cells may be any numbers. Infinities and NaN follow IEEE 754; which NaN, and the
// sign of a zero, are free. JacobiConverge alone asks for finite cells.
//
// Sizes: rows, columns >= 0, rows * columns < 2^28. Spans of cells have rows * columns elements.
//
// Aliasing: the spans of a call do not overlap. A span of const is not written. What an output held
// before is overwritten, in every cell, the border included. Memory outside a span (beyond its
// end) must not be accessed.
//
// Memory: each function may allocate a further plate and some 64 MB beside it.
//
// Threads: several callers may call at the same time, each with outputs of its own. A parallel
// region of the caller may call these functions, too. If it nests no regions, as OpenMP does by
// default, those of the function get one thread; the result is the same.

/// How many cells a plate has in each direction.
struct PlateSize {
  std::size_t rows;
  std::size_t columns;
};

/// One Jacobi sweep, in parallel.
///
/// @param before, after   The cells before and after the sweep.
/// @par Complexity        4 operations an inner cell, shared by the threads; each cell is read from
///                        memory once, if two rows fit into a cache, and written once.
void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size);

/// Jacobi sweeps, in parallel, until one of them changes little.
///
/// The change of a sweep is the largest |next(i, j) - cell(i, j)| of all inner cells, with the
/// difference rounded to double; 0 if there are no inner cells. The last sweep is the first one
/// whose change is at most `tolerance`, or number changes.size() if there is none before.
///
/// @param before     The cells before the first sweep, of magnitude at most 1e300.
/// @param after      The cells after the last sweep; those of `before` if there is none.
/// @param tolerance  >= 0; infinity is allowed.
/// @param changes    How many sweeps may be made, 0 or more: its element k becomes the change of
///                   the sweep number k, counted from 0. Elements of sweeps that are not made stay
///                   as they are.
/// @return           How many sweeps were made; 0 only if changes.size() is 0.
/// @par Complexity   One pass over the plate a sweep: the change is found in the pass that
///                   computes the cells.
std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes);

/// Gauss-Seidel sweeps in red-black order, in place and in parallel.
///
/// An inner cell is red if i + j is even, and black otherwise. A sweep gives every red cell the
/// mean of its neighbours by the formula above, and after that every black cell the mean of its
/// own, which are red cells of this sweep, or on the border.
///
/// @param plate      The cells before the first sweep, and then those after the last one.
/// @param sweeps     How many, 0 or more.
/// @par Complexity   4 operations for each inner cell and sweep; no second plate.
/// @par Source       Young, Iterative Solution of Large Linear Systems, 1971: consistently ordered
///                   matrices, of which this order is one.
void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps);

/// Several Jacobi sweeps, in parallel, by tiles that are advanced by more than one sweep while they
/// are in a cache.
///
/// @param before     The cells before the first sweep.
/// @param after      The cells after the last one; those of `before` if there is none.
/// @param sweeps     How many, 0 or more.
/// @par Complexity   4 operations for each inner cell and sweep, and some more for cells that are
///                   computed for two tiles. Each cell moves between memory and caches once in
///                   several sweeps.
/// @par Source       Wonnacott, Using time skewing to eliminate idle time due to memory bandwidth
/// and
///                   network limitations, IPDPS 2000; Datta et al., Optimization and performance
///                   modeling of stencil computations on modern microprocessors, SIAM Review 51,
///                   2009.
void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps);

/// The same by tasks: one for each piece of the plate and pass over it, ordered by dependences.
/// No sweep or pass is awaited as a whole.
///
/// @param before, after, size, sweeps   as for JacobiTiled.
/// @par Complexity   as for JacobiTiled, and one task for some thousand cells or more.
void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps);
