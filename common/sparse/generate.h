#pragma once

// Matrices and graphs of known kinds, as patterns. The same stream gives the same ones everywhere.
//
//   lab::Random random(seed);
//   sparse::CsrMatrix matrix = sparse::Uniform(rows, columns, 16, random);
//   matrix.values = random.Floats(matrix.size(), -1, 1);
//
// All throw std::invalid_argument for a result of more than kMaxIndex rows, columns or entries, and
// where a parameter is not as described; the message has the value and the limit.

#include <cstddef>

#include "common/lab/testing/inputs.h"
#include "common/sparse/matrix.h"

namespace sparse {

// A square matrix whose row i has the columns from i - below to i + above, as far as they exist,
// ascending. O(entries).
CsrMatrix Banded(std::size_t rows, std::size_t below, std::size_t above);

// `per_row` different columns in each row, uniformly drawn and ascending; per_row <= columns.
// O(rows * per_row^2): meant for few entries in a row.
//
// Source: Bentley, Floyd, A Sample of Brilliance, Communications of the ACM 30(9), 1987.
CsrMatrix Uniform(std::size_t rows, std::size_t columns, std::size_t per_row, lab::Random& random);

// How likely an edge lies in each quarter of the matrix; from 0 to 1, together 1 (to 1e-6). The
// default is that of the Graph500 benchmark.
struct RmatQuarters {
  double top_left = 0.57;
  double top_right = 0.19;
  double bottom_left = 0.19;
  double bottom_right = 0.05;
};

// A power-law graph: 2^scale vertices, scale <= 30, and `edges` edges, each drawn by `scale` times
// choosing a quarter. A few vertices have most of the edges, many have none; small ids have more.
// Edges may repeat and may be loops; they come in random order. O(edges * scale).
//
// Source: Chakrabarti, Zhan, Faloutsos, R-MAT: A Recursive Model for Graph Mining, SIAM
// International Conference on Data Mining, 2004.
CooMatrix Rmat(std::size_t scale, std::size_t edges, lab::Random& random,
               const RmatQuarters& quarters = {});

// A graph of width * height vertices, vertex y * width + x having edges to its up to four
// neighbours, ascending. O(vertices).
CsrMatrix Grid(std::size_t width, std::size_t height);

// A graph of n vertices, vertex i having edges to i - 1 and i + 1: the deepest one for a search.
CsrMatrix Path(std::size_t n);

}  // namespace sparse
