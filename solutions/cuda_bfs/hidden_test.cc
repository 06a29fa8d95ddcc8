// The hidden test of the lab "Breadth-first search on a GPU". What is counted and timed is in
// hidden_cost_test.cc.
//
// Each part starts with calls that follow each other or run side by side.

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_bfs/hidden_search.h"

namespace bfs_test {
namespace {

// All parts promise the same.
struct SearchTest : testing::TestWithParam<Search> {
  const Search& search = GetParam();
  lab::Random random;
};

// What the outputs held must not matter: not as a vertex that was reached, and not as one that was
// not.
TEST_P(SearchTest, OverwritesWhatTheOutputsHeld) {
  const Graph graph = search.Suited(sparse::Uniform(500, 500, 2, random));
  for (const unsigned before : {0u, 1u, 17u, kUnreached}) ExpectSearch(search, graph, 17, before);
}

TEST_P(SearchTest, KeepsNothingFromOneCallToTheNext) {
  for (std::size_t call = 0; call < lab::Scaled(12); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto n = random.UniformInt<std::size_t>(2, call % 2 == 0 ? 3000 : 40);
    const Graph graph = search.Suited(sparse::Uniform(n, n, 2, random));
    const auto source = random.UniformInt<unsigned>(0, static_cast<unsigned>(n - 1));
    ExpectSearch(search, graph, source);
    ExpectSearch(search, graph, source);
    ExpectSearch(search, graph, source / 2);
    if (HasFailure()) return;
  }
}

TEST_P(SearchTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  const Graph graph = search.Suited(Beads({lab::Scaled(2000), 7}, 4));
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSearch(search, graph, 0);
    ExpectSearch(search, search.Suited(sparse::Uniform(700, 700, 3, random)), 7);
  });
}

// The graph of the handout.
TEST_P(SearchTest, SearchesASmallGraphFromEachVertex) {
  constexpr int kFrom[] = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 8};
  constexpr int kTo[] = {1, 3, 2, 4, 5, 4, 6, 5, 0, 7, 4, 7, 0};
  Edges edges = NoEdges(9);
  for (std::size_t e = 0; e < std::size(kFrom); ++e) Add(edges, kFrom[e], kTo[e]);
  for (unsigned source = 0; source < 9; ++source) {
    ExpectFound(search, sparse::ToCsr(edges), source);
  }
}

TEST_P(SearchTest, SearchesAThousandVertices) {
  const Graph graph = sparse::Uniform(1000, 1000, 3, random);
  for (const unsigned source : {0u, 500u, 999u}) ExpectFound(search, graph, source);
}

// No vertex; one; and a few that have no edges, or none but to themselves.
TEST_P(SearchTest, FindsTheSourceAloneWhereThereIsNoEdgeToAnother) {
  ExpectSearch(search, Graph(), 0);
  for (const std::size_t n : {1, 2, 3, 257}) {
    const Graph bare = sparse::ToCsr(NoEdges(n));
    for (const std::size_t source : {std::size_t{0}, n / 2, n - 1}) {
      ExpectSearch(search, bare, static_cast<unsigned>(source));
      ExpectSearch(search, WithLoopsAndCopies(bare, 3), static_cast<unsigned>(source));
    }
  }
}

// Ways to each end, and from there; those against the edges do not count.
TEST_P(SearchTest, FollowsPathsToTheirEnd) {
  for (const unsigned n : {2u, 3u, 33u, 257u, static_cast<unsigned>(lab::Scaled(700))}) {
    for (const unsigned source : {0u, n / 3, n - 1}) {
      ExpectSearch(search, sparse::Path(n), source);
      ExpectFound(search, sparse::Banded(n, 0, 1), source);
      ExpectFound(search, sparse::Banded(n, 1, 0), source);
    }
  }
}

TEST_P(SearchTest, FindsFrontiersThatFillWarpsBlocksAndQueuesOrNot) {
  for (const std::size_t leaves : FrontierSizes()) {
    const Graph graph = Broom(leaves);
    if (!lab::IsScaled()) ExpectFound(search, graph, 0);
    const std::vector<unsigned> names = RandomNames(graph.rows, random);
    ExpectFound(search, Renamed(graph, names, random), names[0]);
    if (HasFailure()) return;
  }
}

// A frontier of nearly all vertices, found by one; and back in one.
TEST_P(SearchTest, FindsAFrontierOfNearlyAllVertices) {
  ExpectFound(search, Broom(lab::Scaled(60'000)), 0);
  ExpectFound(search, Beads({lab::Scaled(70'000)}, 3), 0);
}

// All of a layer find all of the next one at the same time.
TEST_P(SearchTest, LetsManyThreadsFindTheSameVertex) {
  ExpectFound(search, Layers({1, 33, 1, 257, 64, 2, 300, 1}), 0);
  ExpectFound(search, Layers({1, 2, 1, 2, 1, 2, 1}), 0);
  ExpectFound(search, Layers({1, 40, 1500, 3}), 0);
}

TEST_P(SearchTest, SearchesGrids) {
  ExpectSearch(search, sparse::Grid(37, 53), 0);
  ExpectSearch(search, sparse::Grid(64, 64), 32 * 64 + 31);
  ExpectSearch(search, sparse::Grid(300, 1), 150);
  ExpectSearch(search, sparse::Grid(5, 200), 999);
}

// Hubs, multiple edges, loops and many vertices without an edge.
TEST_P(SearchTest, SearchesPowerLawGraphs) {
  for (const std::size_t scale : {5, 8, 11}) {
    const Graph graph = search.Suited(PowerLaw(scale, std::size_t{8} << scale, random));
    ExpectSearch(search, graph, Hub(graph));
    for (int i = 0; i < 3; ++i) {
      ExpectSearch(search, graph, random.UniformInt<unsigned>(0, (1u << scale) - 1));
    }
  }
}

// What lies in another component cannot be reached, be it before, after or between the others.
TEST_P(SearchTest, LeavesOtherComponentsUnreached) {
  const Graph both = Beside(sparse::Uniform(600, 600, 2, random), sparse::Grid(20, 31));
  const Graph all = Beside(both, sparse::ToCsr(NoEdges(100)));
  for (const unsigned source : {0u, 599u, 600u, 1219u, 1220u, 1319u}) {
    ExpectFound(search, all, source);
  }
  const std::vector<unsigned> names = RandomNames(all.rows, random);
  const Graph mixed = Renamed(all, names, random);
  for (const unsigned v : {0u, 700u, 1300u}) ExpectFound(search, mixed, names[v]);
}

TEST_P(SearchTest, IsNotConfusedByLoopsAndMultipleEdges) {
  const Graph graph = WithLoopsAndCopies(sparse::Uniform(300, 300, 2, random), 7);
  ExpectFound(search, graph, 17);
  ExpectFound(search, Renamed(graph, RandomNames(300, random), random), 17);
  ExpectFound(search, WithLoopsAndCopies(Broom(40), 100), 0);
  ExpectFound(search, WithLoopsAndCopies(sparse::Banded(4, 0, 1), 3000), 0);
}

// The first way that is found to a vertex need not be the shortest.
TEST_P(SearchTest, FindsShortestWaysAmongMany) {
  for (const std::size_t n : {40, 400, 2000}) {
    const Graph graph = Shortcuts(n, random);
    ExpectFound(search, graph, 0);
    const std::vector<unsigned> names = RandomNames(n, random);
    ExpectFound(search, Renamed(graph, names, random), names[0]);
    std::vector<unsigned> backwards(n);
    for (std::size_t v = 0; v < n; ++v) backwards[v] = static_cast<unsigned>(n - 1 - v);
    ExpectFound(search, Renamed(graph, backwards, random), backwards[0]);
  }
}

// Frontiers that are small, large, small and large again, and end as either.
TEST_P(SearchTest, FollowsFrontiersThatGrowAndShrink) {
  for (const std::vector<std::size_t>& widths :
       {std::vector<std::size_t>{3000, 5, 3000}, std::vector<std::size_t>{200, 1500, 1200, 200},
        std::vector<std::size_t>{1, 6000, 1}}) {
    const Graph graph = Beads(widths, 5);
    ExpectFound(search, graph, 0);
    const std::vector<unsigned> names = RandomNames(graph.rows, random);
    ExpectFound(search, Renamed(graph, names, random), names[0]);
  }
  ExpectFound(search, Beside(Beads({5000}, 40), Beads({9}, 4)), 0);
  ExpectFound(search, Beads({10, 4000}, 0), 0);
}

TEST_P(SearchTest, SearchesALargeGraph) {
  const std::size_t n = lab::Scaled(100'000) + 7;
  ExpectFound(search, sparse::Uniform(n, n, 4, random), 5);
  const Graph graph = search.Suited(PowerLaw(14, lab::Scaled(200'000), random));
  ExpectSearch(search, graph, Hub(graph));
}

// With a frontier that is worth the device, and one that is not.
TEST_P(SearchTest, ThrowsWhenARuntimeCallFails) {
  Search failing = search;
  failing.run = lab::WithFailingCalls(search.run);
  ExpectFound(failing, Broom(40), 0);
  ExpectFound(failing, Broom(3'000), 0);
}

INSTANTIATE_TEST_SUITE_P(SearchByVertexTest, SearchTest, testing::Values(by_vertex));
INSTANTIATE_TEST_SUITE_P(SearchByQueueTest, SearchTest, testing::Values(by_queue));
INSTANTIATE_TEST_SUITE_P(SearchByPrivateQueuesTest, SearchTest, testing::Values(by_private_queues));
INSTANTIATE_TEST_SUITE_P(SearchHybridTest, SearchTest, testing::Values(hybrid));
INSTANTIATE_TEST_SUITE_P(SearchBothWaysTest, SearchTest, testing::Values(both_ways));

}  // namespace
}  // namespace bfs_test
