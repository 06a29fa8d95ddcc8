#pragma once

// Layouts that suit a GPU: the entries of neighbouring rows are adjacent in memory. Each is made
// from a CsrMatrix and keeps the order of the entries within a row. Patterns get values of 1.
//
//     CSR  row 0  a b c        ELL  slot 0  a d e      jagged  order 0 2 1   (longest row first)
//          row 1  d                 slot 1  b · f              diagonal 0  a e d
//          row 2  e f               slot 2  c · ·              diagonal 1  b f
//                                                              diagonal 2  c
//
// Diagonals and blocks are for matrices of such a shape, and are turned into CSR here.
//
// Source: Bell, Garland, Efficient Sparse Matrix-Vector Multiplication on CUDA, NVIDIA Technical
// Report NVR-2008-004, 2008; Saad, Krylov Subspace Methods on Supercomputers, SIAM Journal on
// Scientific and Statistical Computing 10(6), 1989, for jagged diagonals.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/sparse/matrix.h"

namespace sparse {

// The column of a slot that no entry fills.
inline constexpr std::uint32_t kNoColumn = 0xffffffff;

// Each row has `width` slots; slot s of row r stands at s * rows + r. A row fills its first ones;
// the others are padding: kNoColumn, with a value of 0.
struct EllMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t width = 0;
  std::vector<std::uint32_t> column_indices;  // width * rows
  std::vector<float> values;                  // width * rows
};

// The first `ell.width` entries of each row, and the others, in the order of their rows.
struct HybridMatrix {
  EllMatrix ell;
  CooMatrix rest;
};

// Rows in the order of their lengths, the longest first and equal ones as before: row_order[i] is
// the row at place i. Diagonal d has entry d of each row that is long enough, place by place, from
// diagonal_pointers[d] to diagonal_pointers[d + 1], without the latter.
struct JaggedMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint32_t> row_order;             // rows
  std::vector<std::uint32_t> diagonal_pointers{0};  // length of the longest row + 1
  std::vector<std::uint32_t> column_indices;
  std::vector<float> values;  // as many
};

// Diagonals (DIA): diagonal d has the elements at (r, r + offsets[d]), each at d * rows + r, zeros
// as well. Places whose column does not exist hold anything.
struct DiagonalMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::int32_t> offsets;  // ascending
  std::vector<float> values;          // rows * offsets.size()
};

// Dense blocks of edge x edge elements, zeros as well, in compressed sparse rows (BCSR): `blocks`
// says where they are, and block k has its elements row by row from k * edge * edge on.
struct BlockMatrix {
  std::size_t edge = 1;
  CsrMatrix blocks;           // a pattern, counted in blocks
  std::vector<float> values;  // edge * edge * blocks.size()
};

// The same matrix; each element of a diagonal or of a block is an entry. O(entries).
CsrMatrix ToCsr(const DiagonalMatrix& matrix);
CsrMatrix ToCsr(const BlockMatrix& matrix);

// The length of the longest row, 0 if there is none. O(rows).
std::size_t LongestRow(const CsrMatrix& matrix);

// These throw as Validate, and std::invalid_argument for more than kMaxIndex slots. ToEll has the
// width of the longest row. O(width * rows + size), ToJagged O(rows * log rows + size).
EllMatrix ToEll(const CsrMatrix& matrix);
HybridMatrix ToHybrid(const CsrMatrix& matrix, std::size_t width);
JaggedMatrix ToJagged(const CsrMatrix& matrix);

}  // namespace sparse
