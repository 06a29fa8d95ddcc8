#include <algorithm>
#include <cstdint>

#include "common/sparse/line_reader.h"
#include "common/sparse/read.h"

namespace sparse {
namespace {

using internal::LineReader;

// Word `index` as a vertex id below `most`.
std::size_t Vertex(const LineReader& reader, std::size_t index, std::size_t most) {
  if (most == 0) {
    reader.Refuse("vertex", reader.words()[index], "no vertices", "raise the limit");
  }
  return reader.Whole(index, "vertex", 0, most - 1);
}

}  // namespace

CooMatrix ReadEdgeList(std::istream& in, const std::string& name, std::size_t vertices,
                       const ReadLimits& limits) {
  const std::size_t most = std::min({limits.rows, limits.columns, kMaxIndex});
  const std::size_t most_edges = std::min(limits.entries, kMaxIndex);
  LineReader reader(in, name);
  if (vertices > most) {
    reader.RefuseFile("vertices: " + std::to_string(vertices) + ", limit " + std::to_string(most),
                      "ask for fewer vertices, or raise the limit");
  }
  CooMatrix graph;
  while (reader.NextWithWords("#%")) {
    reader.ExpectWords(2, "FROM TO");
    if (graph.size() == most_edges) {
      reader.Refuse("more edges than there is room for", reader.words()[0],
                    std::to_string(most_edges), "raise the limit, or read a part of the graph");
    }
    const std::size_t from = Vertex(reader, 0, most);
    const std::size_t to = Vertex(reader, 1, most);
    graph.row_indices.push_back(static_cast<std::uint32_t>(from));
    graph.column_indices.push_back(static_cast<std::uint32_t>(to));
    vertices = std::max({vertices, from + 1, to + 1});
  }
  graph.rows = graph.columns = vertices;
  return graph;
}

CooMatrix ReadEdgeListFile(const std::filesystem::path& path, std::size_t vertices,
                           const ReadLimits& limits) {
  std::ifstream in = internal::Open(path);
  return ReadEdgeList(in, path.string(), vertices, limits);
}

}  // namespace sparse
