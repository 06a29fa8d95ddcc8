#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/device_span.h"

// Sizes are numbers of elements. All spans lie in device memory, aligned as cudaMalloc does it: to
// 256 bytes. They do not overlap. Work is launched on the given stream; a call may return before it
// is done, so the caller waits for the stream. No call depends on what another one left
// behind, and several may be under way at the same time, on streams and with workspaces of their
// own, from several threads.
//
// What is merged are items: numbers of 32 bits whose upper 24 bits are the key. The lower 8 bits,
// the tag, travel with it and must not be compared:
//
//   item    -1277   = -5 * 256 + 3            key = item >> kTagBits     -5, rounded down
//                                             tag = item & 255            3
//
// Keys go from -2^23 to 2^23 - 1, and all of them occur. An array is sorted if its keys never
// become less from one item to the next; the tags of equal keys are in any order.
//
// Merging is stable: the items of both arrays, sorted by their keys, and of equal keys all those
// from `a` stand before all those from `b`, each array's in the order that they had there. So there
// is one right answer.

/// How many bits of an item are its tag: the lowest ones.
inline constexpr int kTagBits = 8;

/// How many words of 64 bits the workspace for a merge of so many items in all has.
constexpr std::size_t WorkspaceSize(std::size_t items) { return items / 256 + 1024; }

/// Finds where the first k items of a merge come from, for many k, without merging. The co-rank of
/// k is the number i of items of `a` among the first k items of the stable merge of `a` and `b`;
/// the other j = k - i come from `b`. A thread for each k finds it by binary search.
///
/// @param a       m sorted items, 0 <= m, read only.
/// @param b       n sorted items, 0 <= n and m + n < 2^36, read only. Where there are that many,
///                indices need 64 bits.
/// @param ks      Any number of places, below 2^31, in any order; the same one may be there twice.
///                0 <= ks[t] <= m + n. Read only.
/// @param ranks   As many as there are places. Afterwards ranks[t] is the co-rank of ks[t]. What
///                they held before is overwritten.
/// @param stream  Where the kernel is launched.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, a launch included. What the function allocated is freed then, too.
/// @par Complexity  For each place at most one step more than log2 of the smaller array's size,
///                  with a few loads each.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  sections 12.3 and 12.4; Siebert, Träff, "Efficient MPI implementation of a
///                  parallel, stable merge algorithm", EuroMPI 2012.
void CoRanks(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
             DeviceSpan<const std::uint64_t> ks, DeviceSpan<std::uint64_t> ranks,
             cudaStream_t stream);

/// Merges: each thread finds by co-ranks which items form a range of the result, and merges them in
/// global memory.
///
/// @param a, b    As for CoRanks.
/// @param merged  m + n items. Afterwards the stable merge of `a` and `b`. What they held before is
///                overwritten.
/// @param stream  Where the kernel is launched.
/// @throws as CoRanks.
/// @par Complexity  For each item of the result one or two loads and one store, and for each range
///                  a search. All threads have the same work, whatever the keys and sizes are.
/// @par Source      As above, section 12.5.
void MergeRanges(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                 DeviceSpan<std::int32_t> merged, cudaStream_t stream);

/// Merges: each block merges a range of the result, tile by tile in shared memory. What it reads
/// and writes in global memory it reads and writes coalesced.
///
/// @param a, b, merged, stream  As for MergeRanges.
/// @throws as CoRanks.
/// @par Complexity  Each item is read twice from global memory, or a little more, and written once.
/// @par Source      As above, section 12.6.
void MergeTiles(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                DeviceSpan<std::int32_t> merged, cudaStream_t stream);

/// Merges, and reads each item from global memory once: what was read and is not merged yet stays
/// in shared memory, in a ring (circular buffer) for each array.
///
/// @param a, b, merged  As for MergeRanges.
/// @param workspace     WorkspaceSize(m + n) words for whatever the merge needs; a ring needs none.
///                      They hold anything before, and may hold anything afterwards.
/// @param stream        Where the kernels are launched.
/// @throws as CoRanks.
/// @par Complexity  Each item is read once from global memory, or a little more, and written once.
/// @par Source      As above, section 12.7. Other ways to read once: Green, McColl, Bader, "GPU
///                  Merge Path", ICS 2012.
void MergeRing(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
               DeviceSpan<std::int32_t> merged, DeviceSpan<std::uint64_t> workspace,
               cudaStream_t stream);
