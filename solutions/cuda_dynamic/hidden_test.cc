// The hidden test of the lab "Work that unfolds on a GPU".

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_dynamic/expect.h"

namespace dynamic_test {
namespace {

const lab::Function<decltype(TessellateCurves)> tessellate_curves{"TessellateCurves"};
const lab::Function<decltype(BuildQuadtree)> build_quadtree{"BuildQuadtree"};
const lab::Function<decltype(BuildQuadtreeByQueue)> build_by_queue{"BuildQuadtreeByQueue"};
const lab::Function<decltype(BuildQuadtreeByLevels)> build_by_levels{"BuildQuadtreeByLevels"};

void Curved(const Curves& curves, std::span<unsigned> starts, std::span<Vertex> vertices) {
  tessellate_curves(curves, starts, vertices);
}

// A curve with exactly this bend, 2^17 at most; a whole one in x is even.
Curve WithBend(int bend, int shift) {
  const int in_x = bend / 4 * 2;
  const int in_y = bend - in_x;
  // a.x - 2 b.x + c.x = in_x, and the same for y: b is 0, and a and c share it.
  return {{in_x / 2, in_y / 2}, {0, shift % 2}, {in_x - in_x / 2, in_y - in_y / 2 + shift % 2 * 2}};
}

// Bends about each square, where the number of segments changes.
TEST(TessellateCurvesTest, CountsSegmentsAtEachSquare) {
  Curves curves;
  for (int s = 0; s <= static_cast<int>(lab::Scaled(160)); ++s) {
    for (const int around : {-1, 0, 1}) {
      if (s * s + around >= 0) curves.push_back(WithBend(s * s + around, s));
    }
  }
  ExpectCurves(Curved, curves);
}

TEST(TessellateCurvesTest, TakesTheLargestBend) {
  constexpr int kFar = 1 << 14;
  ExpectCurves(Curved, {{{kFar, -kFar}, {-kFar, kFar}, {kFar, -kFar}}});
  ExpectCurves(Curved, {{{-kFar, -kFar}, {kFar, kFar}, {-kFar, -kFar}}, {{5, 5}, {5, 5}, {5, 5}}});
}

TEST(TessellateCurvesTest, TakesNumbersOfCurvesAtTheEdgesOfBlocks) {
  for (const std::size_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1023, 1025}) {
    ExpectCurves(Curved, FewLongCurves(n, 100));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(TessellateCurvesTest, TakesLongCurvesAlone) {
  lab::Random random;
  Curves curves(lab::Scaled(150));
  for (Curve& curve : curves) {
    for (Pixel* const pixel : {&curve.a, &curve.b, &curve.c}) {
      *pixel = {random.UniformInt(-16384, 16384), random.UniformInt(-16384, 16384)};
    }
  }
  ExpectCurves(Curved, curves);
}

TEST(TessellateCurvesTest, KeepsNothingFromOneCallToTheNext) {
  for (std::size_t call = 0; call < lab::Scaled(8); ++call) {
    ExpectCurves(Curved, FewLongCurves(call % 2 == 0 ? 500 : 30, 200));
  }
}

TEST(TessellateCurvesTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectCurves(Curved, FewLongCurves(300, 200));
  });
}

TEST(TessellateCurvesTest, ThrowsWhenARuntimeCallFails) {
  ExpectCurves(lab::WithFailingCalls(Curved), FewLongCurves(300, 200));
}

TEST(TessellateCurvesCounted, TessellatesAFewLongCurvesAmong4096) {
  ExpectCurves(Curved, FewLongCurves(4096, 1024));
}

void ByLaunches(const Points& points, unsigned leaf_size, std::span<Node> nodes,
                std::span<unsigned> order, std::span<unsigned> used) {
  build_quadtree(points, leaf_size, nodes, order, used);
}

template <unsigned multiprocessors>
void ByQueue(const Points& points, unsigned leaf_size, std::span<Node> nodes,
             std::span<unsigned> order, std::span<unsigned> used) {
  build_by_queue(points, leaf_size, multiprocessors, nodes, order, used);
}

template <unsigned multiprocessors>
void ByLevels(const Points& points, unsigned leaf_size, std::span<Node> nodes,
              std::span<unsigned> order, std::span<unsigned> used) {
  build_by_levels(points, leaf_size, multiprocessors, nodes, order, used);
}

// Uniform over the whole square.
Points Anywhere(std::size_t n, lab::Random& random) {
  Points points(n);
  for (Point& point : points) {
    point = {random.UniformInt<unsigned>(0, 65535), random.UniformInt<unsigned>(0, 65535)};
  }
  return points;
}

// All trees promise the same.
struct QuadtreeTest : testing::TestWithParam<Build> {
  lab::Random random;
};

TEST_P(QuadtreeTest, TakesNumbersOfPointsAtTheEdgesOfWarpsAndBlocks) {
  for (const std::size_t n : {0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1023, 1025}) {
    for (const unsigned leaf_size : {1u, 7u, 128u}) {
      if (leaf_size == 1 && n > 300) continue;
      ExpectTree(GetParam(), Anywhere(n, random), leaf_size);
      if (HasFailure()) return;
    }
  }
}

// One point more than a leaf may have, and as many.
TEST_P(QuadtreeTest, SplitsWhereThereIsOnePointTooMany) {
  for (const unsigned n : {2u, 32u, 33u, 200u}) {
    const Points points = Anywhere(n, random);
    for (const unsigned leaf_size : {n - 1, n, n + 1}) ExpectTree(GetParam(), points, leaf_size);
  }
}

// Every split but the last puts all points into one quarter: the first, the last, or any.
TEST_P(QuadtreeTest, GoesDownToTheLargestDepth) {
  for (const Point place : {Point{0, 0}, Point{65535, 65535}, Point{43690, 21845}}) {
    ExpectTree(GetParam(), Points(50, place), 1);
    Points two(2, place);
    two[1].x ^= 1;
    ExpectTree(GetParam(), two, 1);
    Points far(40, place);
    far[7] = {65535 - place.x, 65535 - place.y};
    ExpectTree(GetParam(), far, 5);
  }
}

// All points on a line, so that two of the quarters are always empty.
TEST_P(QuadtreeTest, TakesPointsOnLines) {
  Points line(lab::Scaled(900));
  for (unsigned i = 0; i < line.size(); ++i) line[i] = {i * 71, 65535 - i * 71};
  ExpectTree(GetParam(), line, 4);
  for (Point& point : line) point.y = 32768;
  ExpectTree(GetParam(), line, 4);
}

TEST_P(QuadtreeTest, TakesClustersOfAllSizes) {
  for (const std::size_t n : {std::size_t{700}, lab::Scaled(6000)}) {
    ExpectTree(GetParam(), Clusters(n), 16);
  }
}

TEST_P(QuadtreeTest, BuildsALargeTree) {
  ExpectTree(GetParam(), Anywhere(lab::Scaled(32'000) + 7, random), 100);
}

TEST_P(QuadtreeTest, KeepsNothingFromOneCallToTheNext) {
  for (std::size_t call = 0; call < lab::Scaled(8); ++call) {
    ExpectTree(GetParam(), Anywhere(call % 2 == 0 ? 600 : 20, random), 10);
  }
}

TEST_P(QuadtreeTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  const Points points = Anywhere(400, random);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectTree(GetParam(), points, 20);
  });
}

TEST_P(QuadtreeTest, ThrowsWhenARuntimeCallFails) {
  ExpectTree(lab::WithFailingCalls(GetParam()), Anywhere(200, random), 20);
}

INSTANTIATE_TEST_SUITE_P(BuildQuadtreeTest, QuadtreeTest, testing::Values(ByLaunches));
INSTANTIATE_TEST_SUITE_P(BuildQuadtreeByQueueTest, QuadtreeTest,
                         testing::Values(ByQueue<1>, ByQueue<3>));
INSTANTIATE_TEST_SUITE_P(BuildQuadtreeByLevelsTest, QuadtreeTest,
                         testing::Values(ByLevels<1>, ByLevels<3>));

TEST(BuildQuadtreeCounted, BuildsATreeOf8192PointsInClusters) {
  ExpectTree(ByLaunches, Clusters(8192), 32);
}

TEST(BuildQuadtreeByQueueCounted, BuildsATreeOf8192PointsInClusters) {
  ExpectTree(ByQueue<4>, Clusters(8192), 32);
}

TEST(BuildQuadtreeByLevelsCounted, BuildsATreeOf16384PointsInClusters) {
  ExpectTree(ByLevels<8>, Clusters(16'384), 32);
}

}  // namespace
}  // namespace dynamic_test
