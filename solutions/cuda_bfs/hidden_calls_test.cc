// The hidden test of the lab "Breadth-first search on a GPU": calls that follow each other, and
// calls of several threads at the same time.

#include <gtest/gtest.h>

#include <string>

#include "common/lab/callers.h"
#include "solutions/cuda_bfs/hidden_search.h"

namespace bfs_test {
namespace {

// What the outputs held must not matter: not as a vertex that was reached, and not as one that was
// not.
void ExpectOverwritten(const Search& search) {
  lab::Random random;
  const Graph graph = search.Suited(sparse::Uniform(500, 500, 2, random));
  for (const unsigned before : {0u, 1u, 17u, kUnreached}) ExpectSearch(search, graph, 17, before);
}

void ExpectIndependentCalls(const Search& search) {
  lab::Random random;
  for (int call = 0; call < 12; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto n = random.UniformInt<std::size_t>(2, call % 2 == 0 ? 3000 : 40);
    const Graph graph = search.Suited(sparse::Uniform(n, n, 2, random));
    const auto source = random.UniformInt<unsigned>(0, static_cast<unsigned>(n - 1));
    ExpectSearch(search, graph, source);
    ExpectSearch(search, graph, source);
    ExpectSearch(search, graph, source / 2);
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectServed(const Search& search) {
  lab::Random random;
  const Graph graph = search.Suited(Beads({2000, 7}, 4));
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSearch(search, graph, 0);
    ExpectSearch(search, search.Suited(sparse::Uniform(700, 700, 3, random)), 7);
  });
}

// NOLINTNEXTLINE: five suites with the same cases
#define BFS_CALL_TESTS(Suite, search)                                               \
  TEST(Suite, OverwritesWhatTheOutputsHeld) { ExpectOverwritten(search); }          \
  TEST(Suite, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(search); } \
  TEST(Suite, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(search); }

BFS_CALL_TESTS(SearchByVertexTest, by_vertex)
BFS_CALL_TESTS(SearchByQueueTest, by_queue)
BFS_CALL_TESTS(SearchByPrivateQueuesTest, by_private_queues)
BFS_CALL_TESTS(SearchHybridTest, hybrid)
BFS_CALL_TESTS(SearchBothWaysTest, both_ways)

}  // namespace
}  // namespace bfs_test
