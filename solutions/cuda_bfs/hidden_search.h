#pragma once

// What is expected of a search.

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_bfs/bfs.h"
#include "solutions/cuda_bfs/hidden_inputs.h"

namespace bfs_test {

using Words = std::vector<unsigned>;

// One of the functions.
struct Search {
  std::function<void(const Graph&, unsigned source, std::span<unsigned> distances,
                     std::span<unsigned> parents)>
      run;
  bool gives_parents = true;
  bool wants_undirected = false;

  // The graph, or with its mirror image where the function asks for that.
  Graph Suited(const Graph& graph) const { return wants_undirected ? Undirected(graph) : graph; }
};

inline const lab::Function<decltype(SearchByVertex)> search_by_vertex{"SearchByVertex"};
inline const lab::Function<decltype(SearchByQueue)> search_by_queue{"SearchByQueue"};
inline const lab::Function<decltype(SearchByPrivateQueues)> search_by_private_queues{
    "SearchByPrivateQueues"};
inline const lab::Function<decltype(SearchHybrid)> search_hybrid{"SearchHybrid"};
inline const lab::Function<decltype(SearchBothWays)> search_both_ways{"SearchBothWays"};

template <typename Function>
auto OnDevice(const Function& function) {
  return [&function](const Graph& graph, unsigned source, std::span<unsigned> distances,
                     std::span<unsigned> parents) {
    function(graph.row_pointers, graph.column_indices, source, distances, parents);
  };
}

inline const Search by_vertex{.run =
                                  [](const Graph& graph, unsigned source,
                                     std::span<unsigned> distances, std::span<unsigned>) {
                                    search_by_vertex(graph.row_pointers, graph.column_indices,
                                                     source, distances);
                                  },
                              .gives_parents = false};
inline const Search by_queue{.run = OnDevice(search_by_queue)};
inline const Search by_private_queues{.run = OnDevice(search_by_private_queues)};
inline const Search hybrid{.run = [](const Graph& graph, unsigned source,
                                     std::span<unsigned> distances, std::span<unsigned> parents) {
  search_hybrid(graph.row_pointers, graph.column_indices, graph.row_pointers, graph.column_indices,
                source, distances, parents);
}};
inline const Search both_ways{.run = OnDevice(search_both_ways), .wants_undirected = true};

// Vertex by vertex in the order in which they are reached.
inline Words Distances(const Graph& graph, unsigned source) {
  Words distances(graph.rows, kUnreached);
  distances[source] = 0;
  Words reached{source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const unsigned v = reached[i];
    for (const unsigned u : graph.Row(v)) {
      if (distances[u] != kUnreached) continue;
      distances[u] = distances[v] + 1;
      reached.push_back(u);
    }
  }
  return distances;
}

// What is wrong with the parent of a vertex, or nothing. `has_edge` says that an edge leads from
// it.
inline std::string WrongParent(std::size_t v, unsigned source, const Words& distances,
                               unsigned parent, bool has_edge) {
  if (distances[v] == kUnreached) return parent == kUnreached ? "" : "it cannot be reached";
  if (v == source) return parent == source ? "" : "it is the source";
  if (parent == lab::PoisonValue<unsigned>()) return "it was never written";
  if (parent >= distances.size()) return "there is no such vertex";
  if (!has_edge) return "no edge leads from there";
  if (distances[parent] + 1 != distances[v]) {
    return "their distances are " + std::to_string(distances[parent]) + " and " +
           std::to_string(distances[v]);
  }
  return "";
}

// The parents make a tree of shortest ways; which one does not matter. `distances` are right.
inline void ExpectTree(const Graph& graph, unsigned source, const Words& distances,
                       const Words& parents) {
  std::vector<bool> has_edge(graph.rows);
  for (std::size_t v = 0; v < graph.rows; ++v) {
    for (const unsigned u : graph.Row(v)) {
      if (parents[u] == v) has_edge[u] = true;
    }
  }
  for (std::size_t v = 0; v < graph.rows; ++v) {
    const std::string wrong = WrongParent(v, source, distances, parents[v], has_edge[v]);
    if (wrong.empty()) continue;
    ADD_FAILURE() << "parent of vertex " << v << " of " << graph.rows << ": got " << parents[v]
                  << ", but " << wrong;
    return;
  }
}

// The outputs hold `before`. The graph is suited for the search.
inline void ExpectSearch(const Search& search, const Graph& graph, unsigned source,
                         unsigned before = lab::PoisonValue<unsigned>()) {
  SCOPED_TRACE("with n = " + std::to_string(graph.rows) + ", m = " + std::to_string(graph.size()) +
               " and source = " + std::to_string(source));
  Words distances(graph.rows, before);
  Words parents(graph.rows, before);
  search.run(graph, source, distances, parents);
  if (graph.rows == 0) return;
  const Words want = Distances(graph, source);
  if (!lab::ExpectAllEqual(distances, want) || !search.gives_parents) return;
  ExpectTree(graph, source, want, parents);
}

// The same for any graph.
inline void ExpectFound(const Search& search, const Graph& graph, unsigned source) {
  ExpectSearch(search, search.Suited(graph), source);
}

}  // namespace bfs_test
