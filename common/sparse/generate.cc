#include "common/sparse/generate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace sparse {
namespace {

constexpr std::size_t kMaxScale = 30;

[[noreturn]] void Refuse(const std::string& what, const std::string& value,
                         const std::string& limit) {
  throw std::invalid_argument("error: " + what + ": " + value + ", limit " + limit +
                              "\n  next: choose within the limit");
}

void CheckAtMost(const char* what, std::size_t value, std::size_t limit) {
  if (value > limit) Refuse(what, std::to_string(value), std::to_string(limit));
}

// a * b <= kMaxIndex, where a * b may be beyond 64 bits.
void CheckProduct(const char* what, std::size_t a, std::size_t b) {
  if (a > 0 && b > kMaxIndex / a) {
    Refuse(what, std::to_string(a) + " * " + std::to_string(b), std::to_string(kMaxIndex));
  }
}

void CheckQuarters(const RmatQuarters& quarters) {
  const auto& [a, b, c, d] = quarters;
  for (const double quarter : {a, b, c, d}) {
    if (!(quarter >= 0 && quarter <= 1)) {
      Refuse("share of a quarter", std::to_string(quarter), "0 to 1");
    }
  }
  if (std::abs(a + b + c + d - 1) > 1e-6) {
    Refuse("shares of all quarters", std::to_string(a + b + c + d), "1");
  }
}

CsrMatrix Empty(std::size_t rows, std::size_t columns) {
  CsrMatrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.row_pointers.reserve(rows + 1);
  return matrix;
}

void EndRow(CsrMatrix& matrix) {
  matrix.row_pointers.push_back(static_cast<std::uint32_t>(matrix.size()));
}

void Add(CsrMatrix& matrix, std::size_t column) {
  matrix.column_indices.push_back(static_cast<std::uint32_t>(column));
}

// Floyd's sample of `count` numbers below `limit`, ascending.
void Sample(std::size_t count, std::size_t limit, lab::Random& random,
            std::vector<std::uint32_t>& sample) {
  sample.clear();
  for (std::size_t largest = limit - count; largest < limit; ++largest) {
    const auto drawn = random.UniformInt<std::uint32_t>(0, static_cast<std::uint32_t>(largest));
    const auto place = std::lower_bound(sample.begin(), sample.end(), drawn);
    if (place != sample.end() && *place == drawn) {
      sample.push_back(static_cast<std::uint32_t>(largest));  // above all that were drawn
    } else {
      sample.insert(place, drawn);
    }
  }
}

}  // namespace

CsrMatrix Banded(std::size_t rows, std::size_t below, std::size_t above) {
  CheckAtMost("rows of a sparse matrix", rows, kMaxIndex);
  below = std::min(below, rows);
  above = std::min(above, rows);
  // `below` or `above` may exceed the last diagonal: rows^2 entries are at most 2^62.
  const std::size_t corners = below * (below + 1) / 2 + above * (above + 1) / 2;
  CheckAtMost("entries of a sparse matrix", rows * (below + 1 + above) - corners, kMaxIndex);
  CsrMatrix matrix = Empty(rows, rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t last = row + std::min(above, rows - 1 - row);
    for (std::size_t column = row - std::min(below, row); column <= last; ++column) {
      Add(matrix, column);
    }
    EndRow(matrix);
  }
  return matrix;
}

CsrMatrix Uniform(std::size_t rows, std::size_t columns, std::size_t per_row, lab::Random& random) {
  CheckAtMost("rows of a sparse matrix", rows, kMaxIndex);
  CheckAtMost("columns of a sparse matrix", columns, kMaxIndex);
  CheckAtMost("entries in a row", per_row, columns);
  CheckProduct("entries of a sparse matrix", rows, per_row);
  CsrMatrix matrix = Empty(rows, columns);
  matrix.column_indices.reserve(rows * per_row);
  std::vector<std::uint32_t> sample;
  for (std::size_t row = 0; row < rows; ++row) {
    Sample(per_row, columns, random, sample);
    matrix.column_indices.insert(matrix.column_indices.end(), sample.begin(), sample.end());
    EndRow(matrix);
  }
  return matrix;
}

CooMatrix Rmat(std::size_t scale, std::size_t edges, lab::Random& random,
               const RmatQuarters& quarters) {
  CheckAtMost("scale of a graph", scale, kMaxScale);
  CheckAtMost("edges of a graph", edges, kMaxIndex);
  CheckQuarters(quarters);
  // A draw of 32 bits below the first lies in the first quarter, and so on.
  const double first = quarters.top_left * 0x1p32;
  const double second = first + quarters.top_right * 0x1p32;
  const double third = second + quarters.bottom_left * 0x1p32;
  CooMatrix graph;
  graph.rows = graph.columns = std::size_t{1} << scale;
  graph.row_indices.resize(edges);
  graph.column_indices.resize(edges);
  for (std::size_t k = 0; k < edges; ++k) {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    std::uint64_t bits = 0;
    for (std::size_t level = 0; level < scale; ++level, bits >>= 32) {
      if (level % 2 == 0) bits = random.Next();
      const auto draw = static_cast<double>(bits & 0xffffffff);
      const bool is_bottom = draw >= second;
      row = 2 * row + is_bottom;
      column = 2 * column + (is_bottom ? draw >= third : draw >= first);
    }
    graph.row_indices[k] = row;
    graph.column_indices[k] = column;
  }
  return graph;
}

CsrMatrix Grid(std::size_t width, std::size_t height) {
  CheckProduct("vertices of a grid", width, height);
  if (width > 0 && height > 0) {
    CheckAtMost("edges of a grid", 2 * (2 * width * height - width - height), kMaxIndex);
  }
  CsrMatrix matrix = Empty(width * height, width * height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t vertex = y * width + x;
      if (y > 0) Add(matrix, vertex - width);
      if (x > 0) Add(matrix, vertex - 1);
      if (x + 1 < width) Add(matrix, vertex + 1);
      if (y + 1 < height) Add(matrix, vertex + width);
      EndRow(matrix);
    }
  }
  return matrix;
}

CsrMatrix Path(std::size_t n) { return Grid(n, 1); }

}  // namespace sparse
