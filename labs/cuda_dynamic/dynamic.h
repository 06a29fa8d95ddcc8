#pragma once

#include <cstddef>

#include "common/cuda/device_span.h"

// Work of which nobody knows the amount before it is done: curves that need few segments or many,
// and a tree that is deep where its points are close together.
//
// An `unsigned` is 32 bits wide; sizes are numbers of elements. DeviceSpans lie in device memory,
// aligned as cudaMalloc does it, and do not overlap. Inputs are valid and need not be checked. What
// outputs held before is overwritten.
//
// Work is launched on the given stream, and a call may return before it is done: the caller waits
// for the stream. No call waits for the device or for another stream, none depends on what another
// one left behind, and several may be under way at the same time on streams of their own, from
// several threads.
//
// Every function throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of
// the runtime fails, a launch included. What it allocated is freed then, too.

/// A place of an image; -2^14 <= x, y <= 2^14.
struct Pixel {
  int x;
  int y;
};

/// A quadratic Bézier curve: (1 - t)² a + 2 t (1 - t) b + t² c for t from 0 to 1.
struct Curve {
  Pixel a;
  Pixel b;
  Pixel c;
};

/// A point of a curve.
struct Vertex {
  float x;
  float y;
};

/// Replaces each curve by line segments that are nowhere more than a quarter of a pixel away from
/// it. A curve with the bend d = |a.x - 2 b.x + c.x| + |a.y - 2 b.y + c.y| gets s segments, s being
/// the smallest number from 1 on with s² >= d, at most 363; so it has s + 1 vertices, of which
/// vertex i is the curve's point at t = i / s.
///
/// @param curves    n curves, n < 2^22.
/// @param starts    n numbers. The vertices of curve i become vertices[starts[i]] and the s that
///                  follow. The curves may lie in `vertices` in any order, without gaps.
/// @param vertices  As many as all curves have together. Each of x and y is right up to 0.02.
/// @param stream    Where the work is launched.
/// @par Special values  For n = 0 nothing is written.
/// @par Complexity  A launch by a kernel for each curve with many vertices, none for others; one
///                  atomic addition for each block, or warp, to get room for its vertices.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  section 21.3. The number of segments: Sederberg, Computer Aided Geometric
///                  Design, section 10.6.
void TessellateCurves(DeviceSpan<const Curve> curves, DeviceSpan<unsigned> starts,
                      DeviceSpan<Vertex> vertices, cudaStream_t stream);

/// A point of a square with sides of 2^16; 0 <= x, y < 2^16.
struct Point {
  unsigned x;
  unsigned y;
};

/// A square of a quadtree, and which points lie in it: order[first] up to, and not including,
/// order[first + count]. It is a leaf, or has four children, one for each of its quarters, one
/// after another: nodes[children + q] is the quarter with the lower halves of x and y for q = 0,
/// the upper half of x for q = 1, of y for q = 2, and of both for q = 3.
struct Node {
  unsigned first;
  unsigned count;
  unsigned children;  ///< 0: a leaf
};

/// The largest depth of a node; the root has depth 0. Squares of this depth have sides of 1.
inline constexpr unsigned kMaxDepth = 16;

/// Builds a quadtree: each node with more than `leaf_size` points and a depth below kMaxDepth has
/// children, and all others are leaves. Each block splits a node: it puts the node's points in the
/// order of its quarters, and launches the kernel for the children.
///
/// @param points     n points, n < 2^24. Several may be equal.
/// @param leaf_size  The most points of a leaf that need not be split, at least 1.
/// @param nodes      Room for at least all nodes of the tree, fewer than 2^26. nodes[0] becomes the
///                   root; where the others are, and the order of their groups of four, is free.
/// @param order      n numbers: afterwards each from 0 to n - 1 once, such that the points of a
///                   node's quarters follow each other. The order within a leaf is free.
/// @param used       1 number: how many nodes the tree has.
/// @param stream     Where the work is launched.
/// @par Special values  For n = 0 the root is a leaf with first = count = 0.
/// @par Complexity  One launch by a kernel for each node that has a child to be split, none for
///                  leaves; O(n) work for each level that n points are in.
/// @par Source      As above, section 21.4.
void BuildQuadtree(DeviceSpan<const Point> points, unsigned leaf_size, DeviceSpan<Node> nodes,
                   DeviceSpan<unsigned> order, DeviceSpan<unsigned> used, cudaStream_t stream);

/// The same by blocks that stay until the whole tree is built: each takes a node from a queue,
/// splits it, and puts those of its children into the queue that must be split.
///
/// @param multiprocessors  How many of the device's multiprocessors the call may fill, at least 1.
///                         It launches no more blocks than these can hold at the same time.
/// @param points, leaf_size, nodes, order, used, stream  As for BuildQuadtree.
/// @par Complexity  As for BuildQuadtree, with one launch, or two, in all.
/// @par Source      Tzeng, Patney, Owens, "Task Management for Irregular-Parallel Workloads on the
///                  GPU", HPG 2010. Cederman, Tsigas, "On Dynamic Load Balancing on Graphics
///                  Processors", Graphics Hardware 2008.
void BuildQuadtreeByQueue(DeviceSpan<const Point> points, unsigned leaf_size,
                          unsigned multiprocessors, DeviceSpan<Node> nodes,
                          DeviceSpan<unsigned> order, DeviceSpan<unsigned> used,
                          cudaStream_t stream);

/// The same level by level in one cooperative launch: the threads of the grid share all points, and
/// each point goes down by one level at a time, until no node is left to be split.
///
/// @param multiprocessors, points, leaf_size, nodes, order, used, stream
///                  As for BuildQuadtreeByQueue.
/// @par Complexity  O(n) work for each level, one launch in all; one atomic operation for each
///                  child that the points of a warp go to.
/// @par Source      Programming guide of CUDA, chapter "Cooperative Groups".
void BuildQuadtreeByLevels(DeviceSpan<const Point> points, unsigned leaf_size,
                           unsigned multiprocessors, DeviceSpan<Node> nodes,
                           DeviceSpan<unsigned> order, DeviceSpan<unsigned> used,
                           cudaStream_t stream);
