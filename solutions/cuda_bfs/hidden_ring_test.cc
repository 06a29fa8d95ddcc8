// The hidden test of the lab "Breadth-first search on a GPU": the bitmap and the ring.

#include "solutions/cuda_bfs/hidden_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/with_failing_calls.h"

namespace bfs_test {
namespace {

TEST(MarkReachableTest, MarksASmallGraphFromEachVertex) {
  Edges edges = NoEdges(9);
  for (const auto& [from, to] : std::vector<std::pair<int, int>>{
           {0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {6, 7}, {6, 4}, {8, 0}}) {
    Add(edges, from, to);
  }
  for (unsigned source = 0; source < 9; ++source) ExpectMarked(sparse::ToCsr(edges), source);
}

TEST(MarkReachableTest, MarksTheSourceAloneWhereThereIsNoEdgeToAnother) {
  ExpectMarked(Graph(), 0);
  for (const std::size_t n : {1, 2, 31, 32, 33, 64, 257}) {
    const Graph bare = sparse::ToCsr(NoEdges(n));
    for (const std::size_t source : {std::size_t{0}, n / 2, n - 1}) {
      ExpectMarked(bare, static_cast<unsigned>(source));
      ExpectMarked(WithLoopsAndCopies(bare, 3), static_cast<unsigned>(source));
    }
  }
}

// A ring of two words, which is gone through hundreds of times.
TEST(MarkReachableTest, FollowsPathsToTheirEnd) {
  for (const unsigned n : {2u, 33u, 257u, 700u}) {
    ExpectMarked(sparse::Path(n), n / 3);
    ExpectMarked(sparse::Banded(n, 0, 1), 0);
    ExpectMarked(sparse::Banded(n, 0, 1), n / 2);
  }
}

// All lanes of a warp set bits of the same words.
TEST(MarkReachableTest, LetsManyThreadsSetBitsOfAWord) {
  for (const std::size_t leaves : {31, 32, 33, 255, 256, 257, 3000}) ExpectMarked(Broom(leaves), 0);
  ExpectMarked(Layers({1, 33, 1, 257, 64, 2, 300, 1}), 0);
  ExpectMarked(Layers({1, 40, 1500, 3}), 0);
}

TEST(MarkReachableTest, MarksNoVertexOfOtherComponents) {
  lab::Random random;
  const Graph both = Beside(sparse::Uniform(600, 600, 2, random), sparse::Grid(20, 31));
  const Graph all = Beside(both, sparse::ToCsr(NoEdges(101)));
  const std::vector<unsigned> names = RandomNames(all.rows, random);
  const Graph mixed = Renamed(all, names, random);
  for (const unsigned source : {0u, 599u, 600u, 1219u, 1220u, 1320u}) {
    ExpectMarked(all, source);
    ExpectMarked(mixed, names[source]);
  }
}

TEST(MarkReachableTest, MarksGraphsOfManyKinds) {
  lab::Random random;
  ExpectMarked(sparse::Grid(37, 53), 5);
  ExpectMarked(Beads({3000, 5, 2000}, 5), 0);
  ExpectMarked(WithLoopsAndCopies(sparse::Uniform(300, 300, 2, random), 7), 17);
  for (const std::size_t scale : {5, 8, 11}) {
    const Graph graph = PowerLaw(scale, std::size_t{8} << scale, random);
    ExpectMarked(graph, Hub(graph));
  }
}

// A ring may have more room than is needed, and hold anything.
TEST(MarkReachableTest, TakesALargerRing) {
  lab::Random random;
  const Graph graph = sparse::Uniform(900, 900, 2, random);
  for (const std::size_t more : {1, 100, 5000}) ExpectMarked(graph, 3, more);
}

TEST(MarkReachableTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    const auto n = random.UniformInt<std::size_t>(2, call % 2 == 0 ? 3000 : 40);
    const Graph graph = sparse::Uniform(n, n, 1, random);
    for (const unsigned before : {0u, 0xffffffffu}) ExpectMarked(graph, 1, 0, before);
  }
}

TEST(MarkReachableTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Graph graph = sparse::Uniform(700, 700, 3, random);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectMarked(graph, 7);
  });
}

TEST(MarkReachableTest, ThrowsWhenARuntimeCallFails) {
  const Graph graph = Broom(40);
  Words reached(3, 7);
  Words ring(81, 7);
  lab::WithFailingCalls(mark_reachable)(graph.row_pointers, graph.column_indices, 0u, reached,
                                        ring);
  EXPECT_EQ(reached, (Words{0xffffffffu, 0xffffffffu, 0x1ffffu}));
}

}  // namespace
}  // namespace bfs_test
