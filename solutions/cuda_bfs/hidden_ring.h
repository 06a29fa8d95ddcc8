#pragma once

// What is expected of MarkReachable.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "solutions/cuda_bfs/hidden_search.h"

namespace bfs_test {

inline const lab::Function<decltype(MarkReachable)> mark_reachable{"MarkReachable"};

// The most vertices of two levels that follow each other.
inline std::size_t RingSize(const Words& distances) {
  std::vector<std::size_t> levels(distances.size() + 1);
  for (const unsigned distance : distances) {
    if (distance != kUnreached) ++levels[distance];
  }
  std::size_t most = 0;
  for (std::size_t d = 0; d < distances.size(); ++d) {
    most = std::max(most, levels[d] + levels[d + 1]);
  }
  return most;
}

// The ring has `more` words than it needs; the bitmap holds `before`.
inline void ExpectMarked(const Graph& graph, unsigned source, std::size_t more = 0,
                         unsigned before = lab::PoisonValue<unsigned>()) {
  SCOPED_TRACE("with n = " + std::to_string(graph.rows) + ", m = " + std::to_string(graph.size()) +
               " and source = " + std::to_string(source));
  const Words distances = graph.rows > 0 ? Distances(graph, source) : Words{};
  Words want((graph.rows + 31) / 32);
  for (std::size_t v = 0; v < graph.rows; ++v) {
    if (distances[v] != kUnreached) want[v / 32] |= 1u << v % 32;
  }
  Words reached(want.size(), before);
  Words ring(RingSize(distances) + more, before);
  mark_reachable(graph.row_pointers, graph.column_indices, source, reached, ring);
  lab::ExpectAllEqual(reached, want);
}

}  // namespace bfs_test
