#pragma once

// What the tests of the parts share: graphs.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/inputs.h"
#include "common/sparse/generate.h"
#include "common/sparse/matrix.h"

namespace bfs_test {

using Graph = sparse::CsrMatrix;
using Edges = sparse::CooMatrix;

inline Edges NoEdges(std::size_t vertices) {
  Edges edges;
  edges.rows = edges.columns = vertices;
  return edges;
}

inline void Add(Edges& edges, std::size_t from, std::size_t to) {
  edges.row_indices.push_back(static_cast<unsigned>(from));
  edges.column_indices.push_back(static_cast<unsigned>(to));
}

inline Graph Undirected(const Graph& graph) {
  return sparse::ToCsr(sparse::WithMirrorImages(sparse::ToCoo(graph)));
}

// Vertex v is called names[v], and the neighbours of each stand in a random order.
inline Graph Renamed(const Graph& graph, const std::vector<unsigned>& names, lab::Random& random) {
  const Edges edges = sparse::ToCoo(graph);
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.Shuffle(order);
  Edges renamed = NoEdges(graph.rows);
  for (const std::size_t e : order) {
    Add(renamed, names[edges.row_indices[e]], names[edges.column_indices[e]]);
  }
  return sparse::ToCsr(renamed);
}

inline std::vector<unsigned> RandomNames(std::size_t vertices, lab::Random& random) {
  std::vector<unsigned> names(vertices);
  std::iota(names.begin(), names.end(), 0u);
  random.Shuffle(names);
  return names;
}

// Two graphs beside each other: the vertices of the second one come after those of the first.
inline Graph Beside(const Graph& first, const Graph& second) {
  Graph both = first;
  both.rows = both.columns = first.rows + second.rows;
  for (std::size_t r = 1; r <= second.rows; ++r) {
    both.row_pointers.push_back(static_cast<unsigned>(first.size()) + second.row_pointers[r]);
  }
  for (const unsigned column : second.column_indices) {
    both.column_indices.push_back(static_cast<unsigned>(first.rows) + column);
  }
  return both;
}

// Vertex 0 has an edge to each of `leaves` others, and each of these to one that is its own.
inline Graph Broom(std::size_t leaves) {
  Edges edges = NoEdges(1 + 2 * leaves);
  for (std::size_t leaf = 1; leaf <= leaves; ++leaf) {
    Add(edges, 0, leaf);
    Add(edges, leaf, leaves + leaf);
  }
  return sparse::ToCsr(edges);
}

// From vertex 0 on: each vertex of a layer has an edge to each one of the next layer.
inline Graph Layers(const std::vector<std::size_t>& widths) {
  Edges edges = NoEdges(std::accumulate(widths.begin(), widths.end(), std::size_t{0}));
  std::size_t first = 0;
  for (std::size_t layer = 0; layer + 1 < widths.size(); ++layer) {
    const std::size_t next = first + widths[layer];
    for (std::size_t v = first; v < next; ++v) {
      for (std::size_t u = next; u < next + widths[layer + 1]; ++u) Add(edges, v, u);
    }
    first = next;
  }
  return sparse::ToCsr(edges);
}

// Bulges on a string, from vertex 0 on: `widths[i]` vertices side by side that come together in
// one, from which a path of `between` vertices leads on.
inline Graph Beads(const std::vector<std::size_t>& widths, std::size_t between) {
  const std::size_t inner = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  Edges edges = NoEdges(1 + inner + widths.size() * (1 + between));
  std::size_t last = 0;
  for (const std::size_t width : widths) {
    const std::size_t end = last + width + 1;
    for (std::size_t v = last + 1; v < end; ++v) {
      Add(edges, last, v);
      Add(edges, v, end);
    }
    for (std::size_t v = end; v < end + between; ++v) Add(edges, v, v + 1);
    last = end + between;
  }
  return sparse::ToCsr(edges);
}

// A path along which there are edges that skip some vertices, forwards, and long ones backwards.
inline Graph Shortcuts(std::size_t vertices, lab::Random& random) {
  Edges edges = NoEdges(vertices);
  for (std::size_t v = 0; v + 1 < vertices; ++v) {
    Add(edges, v, v + 1);
    Add(edges, v, std::min(vertices - 1, v + random.UniformInt<std::size_t>(1, 9)));
    Add(edges, v, random.UniformInt<std::size_t>(0, v));
  }
  return sparse::ToCsr(edges);
}

// Each edge `times` times, and each vertex with as many edges to itself.
inline Graph WithLoopsAndCopies(const Graph& graph, std::size_t times) {
  Edges edges = NoEdges(graph.rows);
  for (std::size_t v = 0; v < graph.rows; ++v) {
    for (std::size_t i = 0; i < times; ++i) {
      Add(edges, v, v);
      for (const unsigned u : graph.Row(v)) Add(edges, v, u);
    }
  }
  return sparse::ToCsr(edges);
}

// A power-law graph; its vertices are shuffled, so that small ids mean nothing.
inline Graph PowerLaw(std::size_t scale, std::size_t edges, lab::Random& random) {
  const Graph graph = sparse::ToCsr(sparse::Rmat(scale, edges, random));
  return Renamed(graph, RandomNames(graph.rows, random), random);
}

// The vertex with most edges.
inline unsigned Hub(const Graph& graph) {
  std::size_t hub = 0;
  for (std::size_t v = 1; v < graph.rows; ++v) {
    if (graph.Length(v) > graph.Length(hub)) hub = v;
  }
  return static_cast<unsigned>(hub);
}

// Sizes of frontiers at which warps, blocks and queues of blocks begin and end.
inline std::set<std::size_t> FrontierSizes() {
  std::set<std::size_t> sizes;
  for (const std::size_t width : {32, 64, 128, 256, 512, 1024, 2048, 4096}) {
    sizes.insert({width - 1, width, width + 1});
  }
  sizes.insert({1, 2, 3});
  for (const std::size_t n : {8191, 8193, 12'287, 12'288, 12'289}) sizes.insert(lab::Scaled(n));
  return sizes;
}

}  // namespace bfs_test
