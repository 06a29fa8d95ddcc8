#pragma once

// What the lab's tests, public and hidden, expect of curves and trees, and inputs that both use.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_dynamic/dynamic.h"

namespace dynamic_test {

using Curves = std::vector<Curve>;
using Points = std::vector<Point>;
using Nodes = std::vector<Node>;
using Words = std::vector<unsigned>;

using Tessellate =
    std::function<void(const Curves&, std::span<unsigned> starts, std::span<Vertex> vertices)>;
using Build = std::function<void(const Points&, unsigned leaf_size, std::span<Node> nodes,
                                 std::span<unsigned> order, std::span<unsigned> used)>;

inline long BendOf(const Curve& curve) {
  const auto one = [](long a, long b, long c) { return std::abs(a - 2 * b + c); };
  return one(curve.a.x, curve.b.x, curve.c.x) + one(curve.a.y, curve.b.y, curve.c.y);
}

inline unsigned SegmentsOf(const Curve& curve) {
  long segments = 1;
  while (segments * segments < BendOf(curve)) ++segments;
  return static_cast<unsigned>(segments);
}

// Vertex i of the curve is where it must be.
inline bool IsRight(const Curve& curve, unsigned i, unsigned segments, const Vertex& vertex) {
  const double t = static_cast<double>(i) / segments;
  const auto at = [t](int a, int b, int c) {
    return (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
  };
  constexpr double kError = 0.02;
  return std::abs(vertex.x - at(curve.a.x, curve.b.x, curve.c.x)) <= kError &&
         std::abs(vertex.y - at(curve.a.y, curve.b.y, curve.c.y)) <= kError;
}

// Each curve has a place of its own among the vertices, which `taken` marks.
inline bool ExpectPlace(std::size_t i, std::size_t start, unsigned count,
                        std::vector<bool>& taken) {
  if (start > taken.size() || count > taken.size() - start) {
    ADD_FAILURE() << "curve " << i << " has " << count << " vertices from " << start << " on, of "
                  << taken.size();
    return false;
  }
  for (std::size_t place = start; place < start + count; ++place) {
    if (taken[place]) {
      ADD_FAILURE() << "vertices[" << place << "] belongs to curve " << i << " and to another one";
      return false;
    }
    taken[place] = true;
  }
  return true;
}

inline void ExpectCurves(const Tessellate& tessellate, const Curves& curves) {
  SCOPED_TRACE("with n = " + std::to_string(curves.size()));
  std::size_t total = 0;
  for (const Curve& curve : curves) total += SegmentsOf(curve) + 1;
  Words starts = lab::Poisoned<unsigned>(curves.size());
  std::vector<Vertex> vertices = lab::Poisoned<Vertex>(total);
  tessellate(curves, starts, vertices);
  std::vector<bool> taken(total);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const unsigned segments = SegmentsOf(curves[i]);
    if (!ExpectPlace(i, starts[i], segments + 1, taken)) return;
    for (unsigned j = 0; j <= segments; ++j) {
      const Vertex& got = vertices[starts[i] + j];
      ASSERT_TRUE(IsRight(curves[i], j, segments, got))
          << "vertex " << j << " of the " << segments + 1 << " of curve " << i << " is (" << got.x
          << ", " << got.y << ")";
    }
  }
}

// A bound of the number of nodes: of those to be split, each level has at most four times as many
// as the one above, and each of them more than leaf_size points.
inline std::size_t RoomFor(std::size_t points, unsigned leaf_size) {
  std::size_t room = 1;
  std::size_t split = 1;
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    split = std::min<std::size_t>(split, points / (leaf_size + std::size_t{1}));
    room += 4 * split;
    split *= 4;
  }
  return room;
}

// Walks a tree from its root, and stops at the first fault.
class TreeCheck {
 public:
  TreeCheck(const Points& points, unsigned leaf_size, std::span<const Node> nodes,
            std::span<const unsigned> order)
      : points_(points), leaf_size_(leaf_size), nodes_(nodes), order_(order) {}

  void Run(unsigned used) {
    ASSERT_TRUE(used >= 1 && used <= nodes_.size()) << "the tree has " << used << " nodes";
    seen_.resize(used);
    seen_[0] = true;
    ASSERT_EQ(nodes_[0].first, 0u) << "of the root";
    ASSERT_EQ(nodes_[0].count, points_.size()) << "of the root";
    Visit(0, 0, {0, 0});
    if (testing::Test::HasFailure()) return;
    const auto missed = std::find(seen_.begin(), seen_.end(), false);
    ASSERT_EQ(missed, seen_.end()) << "used = " << used << ", but nodes[" << missed - seen_.begin()
                                   << "] is no child of any node";
    Words sorted(order_.begin(), order_.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      ASSERT_EQ(sorted[i], i) << "order does not have each point once";
    }
  }

 private:
  // Its square has this depth and corner; what lies where in `order` was found right.
  void Visit(unsigned index, unsigned depth, Point corner) {
    const Node& node = nodes_[index];
    const std::string which = "nodes[" + std::to_string(index) + "] of depth " +
                              std::to_string(depth) + " with " + std::to_string(node.count) +
                              " points";
    const bool must = node.count > leaf_size_ && depth < kMaxDepth;
    if (!must) {
      ASSERT_EQ(node.children, 0u) << which << " is a leaf";
      return ExpectPoints(node, depth, corner, which);
    }
    ASSERT_NE(node.children, 0u) << which << " must be split";
    ASSERT_LE(std::size_t{node.children} + 4, seen_.size()) << "children of " << which;
    std::size_t first = node.first;
    for (unsigned q = 0; q < 4; ++q) {
      const unsigned child = node.children + q;
      ASSERT_FALSE(seen_[child]) << "nodes[" << child << "] is a child twice";
      seen_[child] = true;
      ASSERT_EQ(nodes_[child].first, first) << "of child " << q << " of " << which;
      first += nodes_[child].count;
      ASSERT_LE(first, std::size_t{node.first} + node.count)
          << "the children of " << which << " have too many points";
    }
    ASSERT_EQ(first, std::size_t{node.first} + node.count)
        << "the children of " << which << " have too few points";
    const unsigned half = 1u << (kMaxDepth - 1 - depth);
    for (unsigned q = 0; q < 4 && !testing::Test::HasFailure(); ++q) {
      Visit(node.children + q, depth + 1, {corner.x + q % 2 * half, corner.y + q / 2 * half});
    }
  }

  void ExpectPoints(const Node& node, unsigned depth, Point corner, const std::string& which) {
    const unsigned side = 1u << (kMaxDepth - depth);
    for (unsigned i = node.first; i < node.first + node.count; ++i) {
      ASSERT_LT(order_[i], points_.size()) << "order[" << i << "], in " << which;
      const Point& point = points_[order_[i]];
      ASSERT_TRUE(point.x - corner.x < side && point.y - corner.y < side)
          << "point " << order_[i] << ", (" << point.x << ", " << point.y << "), is order[" << i
          << "], in " << which << ", whose square of " << side << " begins at (" << corner.x << ", "
          << corner.y << ")";
    }
  }

  const Points& points_;
  unsigned leaf_size_;
  std::span<const Node> nodes_;
  std::span<const unsigned> order_;
  std::vector<bool> seen_;
};

inline void ExpectTree(const Build& build, const Points& points, unsigned leaf_size) {
  SCOPED_TRACE("with n = " + std::to_string(points.size()) +
               " and leaf_size = " + std::to_string(leaf_size));
  Nodes nodes = lab::Poisoned<Node>(RoomFor(points.size(), leaf_size));
  Words order = lab::Poisoned<unsigned>(points.size());
  Words used = lab::Poisoned<unsigned>(1);
  build(points, leaf_size, nodes, order, used);
  TreeCheck(points, leaf_size, nodes, order).Run(used[0]);
}

// n curves with up to five segments each, but every `period`-th and the 15 that follow it have
// about a hundred.
inline Curves FewLongCurves(std::size_t n, std::size_t period) {
  lab::Random random(1);
  Curves curves(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int x = random.UniformInt(-8000, 8000);
    const int y = random.UniformInt(-8000, 8000);
    const int bend = i % period < 16 ? random.UniformInt(2500, 3500) : random.UniformInt(0, 5);
    curves[i] = {{x, y}, {x + bend, y + bend}, {x + 3, y + 2}};
  }
  return curves;
}

// n points: half anywhere, the others in eight clusters whose points are closer to its centre the
// more there are.
inline Points Clusters(std::size_t n) {
  lab::Random random(1);
  Points centres;
  for (int i = 0; i < 8; ++i) {
    centres.push_back(
        {random.UniformInt<unsigned>(4096, 61440), random.UniformInt<unsigned>(4096, 61440)});
  }
  Points points(n);
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned radius = 1u << random.UniformInt(5, 12);
    const Point& centre = centres[i / 2 % 8];
    const bool anywhere = i % 2 == 0;
    points[i].x = anywhere ? random.UniformInt<unsigned>(0, 65535)
                           : centre.x + random.UniformInt<unsigned>(0, radius) - radius / 2;
    points[i].y = anywhere ? random.UniformInt<unsigned>(0, 65535)
                           : centre.y + random.UniformInt<unsigned>(0, radius) - radius / 2;
  }
  return points;
}

}  // namespace dynamic_test
