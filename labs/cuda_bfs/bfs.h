#pragma once

#include <cstddef>
#include <span>

#include "common/cuda/device_span.h"

// Breadth-first search: the smallest number of edges on a path from one vertex to each other one.
//
// A graph has n vertices, 0 to n - 1, and m directed edges, 0 <= n < 2^31 and 0 <= m < 2^32. It
// comes in compressed sparse rows: the edges of vertex v lead to neighbors[row_starts[v]] up to,
// and not including, neighbors[row_starts[v + 1]].
//
//   row_starts   n + 1 numbers that do not descend, the first being 0 and the last m
//   neighbors    m vertices, in any order
//
// An edge may lead from a vertex to itself, and several may lead from one vertex to the same other
// one. They change no distance. Not every vertex can be reached. Inputs are valid and need not be
// checked.
//
// An `unsigned` is 32 bits wide; sizes are numbers of elements. Spans lie where their type says:
// DeviceSpan in device memory, aligned as cudaMalloc does it, std::span in that of the host. They
// do not overlap. Work is launched on the given stream. A call may wait for this stream, and must
// to learn when the search is over, but for nothing else: not for the device, and not for another
// stream. It may return before all is done, so the caller waits for the stream.
// No call depends on what another one left behind, and several may be under way at the same time on
// streams of their own, from several threads.
//
// Threads that run at the same time reach the same vertices. Memory that one may write while
// another accesses it must be accessed by atomic operations or through volatile, even if all write
// the same.

/// The distance of a vertex that cannot be reached, and its parent. All bits are set.
inline constexpr unsigned kUnreached = 0xffffffffu;

/// Level by level: a launch for each distance, in which each thread checks one vertex, and if that
/// has the distance, visits its neighbors.
///
/// @param row_starts  n + 1 numbers, as above, read only.
/// @param neighbors   m numbers below n, as above, read only.
/// @param source      The vertex from which the search starts, below n; for n = 0 it means nothing.
/// @param distances   n numbers. Afterwards distances[v] is the smallest number of edges on a path
///                    from source to v; 0 for source, kUnreached where there is no path. What it
///                    held before is overwritten. n is distances.size().
/// @param stream      Where the work is launched.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, a launch included. What the function allocated is freed then, too.
/// @par Special values  For n = 0 nothing is written. Where no edge leaves source, every other
///                      vertex is kUnreached.
/// @par Complexity  For each level, n distances are read, and the edges of the vertices that have
///                  it. At most one atomic operation for each edge that leads to a vertex that was
///                  not reached yet when the thread read its distance.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  section 15.3.
void SearchByVertex(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, cudaStream_t stream);

/// Frontier by frontier: threads take the vertices of the last level from a queue, and put those
/// that they are the first to reach into the next one.
///
/// @param row_starts, neighbors, source, distances, stream  As for SearchByVertex.
/// @param parents  n numbers. Afterwards parents[v] is a vertex from which an edge leads to v and
///                 whose distance is one less; any of those if there are several. parents[source]
///                 is source, and that of a vertex that cannot be reached is kUnreached.
/// @throws, @par Special values  As for SearchByVertex.
/// @par Complexity  Each vertex that is reached stands in a queue once; its edges are read once.
/// @par Source      As above, section 15.5.
void SearchByQueue(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                   unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                   cudaStream_t stream);

/// The same, where each block collects what its threads reach in a queue of its own in shared
/// memory, and then gets room for all of it in the next frontier at once. What does not fit into
/// the block's queue goes to the next frontier directly.
///
/// @param row_starts, neighbors, source, distances, parents, stream  As for SearchByQueue.
/// @throws, @par Special values  As for SearchByVertex.
/// @par Complexity  As for SearchByQueue; as long as blocks' queues do not overflow, the number of
///                  atomic operations on the size of the next frontier is that of the blocks.
/// @par Source      As above, section 15.6.
void SearchByPrivateQueues(DeviceSpan<const unsigned> row_starts,
                           DeviceSpan<const unsigned> neighbors, unsigned source,
                           DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                           cudaStream_t stream);

/// The same, where the host searches as long as frontiers are small, and the device where they are
/// large. The graph lies in both memories.
///
/// @param host_row_starts, host_neighbors  The same numbers as row_starts and neighbors have, in
///                                         the host's memory.
/// @param row_starts, neighbors, source, distances, parents, stream  As for SearchByQueue.
/// @throws, @par Special values  As for SearchByVertex.
/// @par Complexity  Levels of one or a few vertices cost no launch, levels of thousands are
///                  searched on the device. Distances and parents are moved a few times, however
///                  often frontiers grow and shrink.
/// @par Source      Hong, Oguntebi, Olukotun, "Efficient Parallel Graph Exploration on Multi-Core
///                  CPU and GPU", PACT 2011.
void SearchHybrid(std::span<const unsigned> host_row_starts,
                  std::span<const unsigned> host_neighbors, DeviceSpan<const unsigned> row_starts,
                  DeviceSpan<const unsigned> neighbors, unsigned source,
                  DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                  cudaStream_t stream);

/// The same in an undirected graph: as often as u stands among the neighbors of v, v stands among
/// those of u. While frontiers are large, vertices that were not reached look for a parent in the
/// frontier, and the first one will do.
///
/// @param row_starts, neighbors, source, distances, parents, stream  As for SearchByQueue.
/// @throws, @par Special values  As for SearchByVertex.
/// @par Complexity  Where most vertices are a few edges away, a small part of the edges is read,
///                  and few vertices are reached by an atomic operation.
/// @par Source      Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First Search", SC
///                  2012.
void SearchBothWays(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                    cudaStream_t stream);

/// Which vertices can be reached, in little memory: a bit for each vertex, and a queue that holds
/// only the vertices of two levels.
///
/// @param row_starts, neighbors, source, stream  As for SearchByVertex; n is row_starts.size() - 1.
/// @param reached  A bitmap of (n + 31) / 32 words. Afterwards bit v % 32 of word v / 32 is 1 if
///                 there is a path from source to v, and for source itself, and 0 if there is none.
///                 The other bits of the last word are 0. What it held before is overwritten.
/// @param ring     Room for vertices: at least as many words as two levels that follow each other
///                 have vertices together, which may be far less than n, and at least one if
///                 n > 0. What it holds before and afterwards is arbitrary.
/// @throws, @par Special values  As for SearchByVertex.
/// @par Complexity  Each vertex that is reached stands in the ring once; its edges are read once.
///                  No other memory of the device in the order of n is needed.
/// @par Source      NVIDIA, CUDA C++ Programming Guide, on atomicOr and atomicInc.
void MarkReachable(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                   unsigned source, DeviceSpan<unsigned> reached, DeviceSpan<unsigned> ring,
                   cudaStream_t stream);
