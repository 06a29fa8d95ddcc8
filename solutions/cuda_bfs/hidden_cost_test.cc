// What the simulator counts, always in the same graphs: thresholds in lab.toml are on these. And
// what is timed.

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/cuda_bfs/hidden_ring.h"
#include "solutions/cuda_bfs/hidden_search.h"

namespace bfs_test {
namespace {

// 4,096 vertices and 519 levels of at most 8.
Graph CountedGrid() { return sparse::Grid(8, 512); }

// 8,192 vertices, each with edges to 8, and six or seven levels.
Graph CountedUniform() {
  lab::Random random(1);
  return sparse::Uniform(8192, 8192, 8, random);
}

// 65,536 vertices, each with edges to 8: enough for many blocks in the large levels, and no vertex
// with so many edges that a block has more to do than the others.
Graph CountedBalance() {
  lab::Random random(1);
  return sparse::Uniform(65'536, 65'536, 8, random);
}

// 32,768 vertices and 262,144 edges, which go both ways.
Graph CountedUndirectedBalance() {
  lab::Random random(1);
  return Undirected(sparse::Uniform(32'768, 32'768, 8, random));
}

// 5,000 levels of one vertex, one of 2,000, and again 5,000 of one.
Graph CountedTails() { return Beads({1, 2000}, 4999); }

// 301 levels of one vertex, one of 2,000, and again 300 of one. Edges go both ways.
Graph CountedUndirectedTails() { return Undirected(Beads({1, 2000}, 299)); }

// 4,096 vertices and 65,536 edges, which go both ways; ids as R-MAT gives them.
Graph CountedPowerLaw() {
  lab::Random random(1);
  return Undirected(sparse::ToCsr(sparse::Rmat(12, 1 << 16, random)));
}

TEST(SearchByVertexCounted, SearchesAGridOf4096Vertices) {
  ExpectSearch(by_vertex, CountedGrid(), 0);
}

TEST(SearchByVertexClaimsCounted, SearchesAUniformGraphOf8192Vertices) {
  ExpectSearch(by_vertex, CountedUniform(), 0);
}

TEST(SearchByVertexBalanceCounted, SearchesAUniformGraphOf65536Vertices) {
  ExpectSearch(by_vertex, CountedBalance(), 0);
}

TEST(SearchByQueueCounted, SearchesAGridOf4096Vertices) {
  ExpectSearch(by_queue, CountedGrid(), 0);
}

TEST(SearchByQueueClaimsCounted, SearchesAUniformGraphOf8192Vertices) {
  ExpectSearch(by_queue, CountedUniform(), 0);
}

TEST(SearchByQueueBalanceCounted, SearchesAUniformGraphOf65536Vertices) {
  ExpectSearch(by_queue, CountedBalance(), 0);
}

TEST(SearchByPrivateQueuesCounted, SearchesAUniformGraphOf8192Vertices) {
  ExpectSearch(by_private_queues, CountedUniform(), 0);
}

TEST(SearchByPrivateQueuesBalanceCounted, SearchesAUniformGraphOf65536Vertices) {
  ExpectSearch(by_private_queues, CountedBalance(), 0);
}

TEST(SearchHybridCounted, SearchesABulgeWithLongTails) { ExpectSearch(hybrid, CountedTails(), 0); }

TEST(SearchBothWaysCounted, SearchesAPowerLawGraphOf4096Vertices) {
  ExpectSearch(both_ways, CountedPowerLaw(), 0);
}

TEST(SearchBothWaysTailsCounted, SearchesABulgeWithTails) {
  ExpectSearch(both_ways, CountedUndirectedTails(), 0);
}

TEST(SearchBothWaysBalanceCounted, SearchesAUniformGraphOf32768Vertices) {
  ExpectSearch(both_ways, CountedUndirectedBalance(), 0);
}

TEST(MarkReachableCounted, MarksAUniformGraphOf8192Vertices) { ExpectMarked(CountedUniform(), 0); }

TEST(MarkReachableBalanceCounted, MarksAUniformGraphOf65536Vertices) {
  ExpectMarked(CountedBalance(), 0);
}

// What every search must do: read where each row starts, an edge to each vertex, write its distance
// and its parent.
lab::Work WorkOf(std::size_t vertices) {
  const auto n = static_cast<double>(vertices);
  return {4 * sizeof(unsigned) * n, n};
}

TEST(SearchHybridTiming, SearchesFrontiersThatGrowAndShrink) {
  constexpr std::size_t kWidth = 2000;
  const std::size_t beads = lab::TimedSize(300, 400);
  lab::RunTimedPairs(WorkOf(beads * kWidth), [beads](lab::Random& random) -> std::function<void()> {
    std::vector<std::size_t> widths(beads);
    for (std::size_t& width : widths) {
      width = random.UniformInt<std::size_t>(kWidth - 500, kWidth + 500);
    }
    const auto graph = std::make_shared<Graph>(Beads(widths, 3));
    return [graph] { ExpectSearch(hybrid, *graph, 0); };
  });
}

TEST(SearchBothWaysTiming, SearchesAPowerLawGraph) {
  const std::size_t edges = lab::TimedSize(1 << 19, 1 << 22);
  const std::size_t scale = std::bit_width(edges / 16) - 1;
  lab::RunTimedPairs(WorkOf(std::size_t{1} << scale),
                     [=](lab::Random& random) -> std::function<void()> {
                       const Graph graph = sparse::ToCsr(sparse::Rmat(scale, edges, random));
                       const auto both = std::make_shared<Graph>(Undirected(graph));
                       return [both] { ExpectSearch(both_ways, *both, Hub(*both)); };
                     });
}

}  // namespace
}  // namespace bfs_test
