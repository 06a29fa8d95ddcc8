#pragma once

#include <cstddef>
#include <span>

/// Sums `values` with `num_threads` threads that each add up one contiguous share.
///
/// Every thread forms the sum of its own share in a private variable and adds that to the common
/// total once, under a mutex. The call returns after all its threads have been joined.
///
/// @param values       n numbers, n >= 0, read only. Not copied; nothing else writes to them during
///                     the call.
/// @param num_threads  how many threads add, >= 1. May be larger than n.
/// @return  The sum in double precision, 0 for no values. The order of the additions is free, so
///          the result may differ from the exact sum by at most n * 2^-53 * sum |values[i]| (to
///          first order). A NaN among the values makes the sum NaN; infinities follow IEEE 754. The
///          sign of a zero sum is free.
/// @par Thread safety   Several callers may sum at the same time.
/// @par Complexity      n additions, n / num_threads of them in each thread; num_threads locks.
double SumPartial(std::span<const float> values, int num_threads);

/// Sums `values` with `num_threads` threads that fetch their work in chunks from a shared queue.
///
/// The queue is one index, that of the first value not yet taken. A thread takes the next chunk
/// under the index's mutex, adds it up privately, comes back for more, and adds its private sum to
/// the common total once it finds the queue empty. The call returns after all its threads have been
/// joined.
///
/// @param values       as for SumPartial.
/// @param num_threads  how many threads fetch chunks, >= 1. May be larger than the number of
///                     chunks.
/// @param chunk        how many values a thread takes at a time, >= 1. The last chunk may be
///                     shorter; `chunk` may be larger than n, up to the largest std::size_t.
/// @return  as for SumPartial.
/// @par Thread safety   Several callers may sum at the same time.
/// @par Complexity      n additions; ceil(n / chunk) + 2 * num_threads locks.
double SumQueue(std::span<const float> values, int num_threads, std::size_t chunk);

/// Sums many arrays with one pool of `num_threads` threads, which are started once.
///
/// The arrays are the jobs of a queue, which may hold all of them. The caller is the producer: it
/// puts in one array after the other and closes the queue after the last one. The threads, the
/// consumers, wait on a condition variable as long as the queue is empty and may still be filled; a
/// thread takes one array at a time, adds it up alone and writes its sum. The call returns after
/// all its threads have been joined; nothing is kept for the next call.
///
/// @param values       the arrays, one after the other, read only. Not copied; nothing else writes
///                     to them during the call.
/// @param ends         where each of the m arrays ends, m >= 0: array s is values[begin, ends[s])
///                     with begin = ends[s - 1], or 0 for the first one. Ascending, but arrays may
///                     be empty. The last end is at most values.size(); values behind it belong
///                     to no array.
/// @param num_threads  how many threads the pool has, >= 1. May be larger than m.
/// @param sums         gets the m sums, sums[s] that of array s, each as SumPartial would return
///                     it. Overlaps neither `values` nor `ends`; what it holds before is not read.
/// @par Thread safety   Several callers may sum at the same time, into sums of their own.
/// @par Complexity      ends.back() additions; num_threads thread starts, however large m is; of
///                     the order of m + num_threads locks.
void SumMany(std::span<const float> values, std::span<const std::size_t> ends, int num_threads,
             std::span<double> sums);
