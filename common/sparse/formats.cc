#include "common/sparse/formats.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace sparse {
namespace {

EllMatrix Padding(const CsrMatrix& matrix, std::size_t width) {
  if (matrix.rows > 0 && width > kMaxIndex / matrix.rows) {
    throw std::invalid_argument("error: slots of an ELL matrix: " + std::to_string(matrix.rows) +
                                " * " + std::to_string(width) + ", limit " +
                                std::to_string(kMaxIndex) +
                                "\n  next: use a smaller width, and the rest by itself");
  }
  EllMatrix ell{matrix.rows, matrix.columns, width, {}, {}};
  ell.column_indices.assign(width * matrix.rows, kNoColumn);
  ell.values.assign(width * matrix.rows, 0);
  return ell;
}

}  // namespace

CsrMatrix ToCsr(const DiagonalMatrix& matrix) {
  CsrMatrix csr{matrix.rows, matrix.columns, {0}, {}, {}};
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t d = 0; d < matrix.offsets.size(); ++d) {
      const auto column = static_cast<std::int64_t>(r) + matrix.offsets[d];
      if (column < 0 || column >= static_cast<std::int64_t>(matrix.columns)) continue;
      csr.column_indices.push_back(static_cast<std::uint32_t>(column));
      csr.values.push_back(matrix.values[d * matrix.rows + r]);
    }
    csr.row_pointers.push_back(static_cast<std::uint32_t>(csr.values.size()));
  }
  return csr;
}

CsrMatrix ToCsr(const BlockMatrix& matrix) {
  const std::size_t edge = matrix.edge;
  const CsrMatrix& blocks = matrix.blocks;
  CsrMatrix csr{blocks.rows * edge, blocks.columns * edge, {0}, {}, {}};
  for (std::size_t r = 0; r < csr.rows; ++r) {
    for (std::size_t k = blocks.row_pointers[r / edge]; k < blocks.row_pointers[r / edge + 1];
         ++k) {
      for (std::size_t c = 0; c < edge; ++c) {
        csr.column_indices.push_back(
            static_cast<std::uint32_t>(blocks.column_indices[k] * edge + c));
        csr.values.push_back(matrix.values[(k * edge + r % edge) * edge + c]);
      }
    }
    csr.row_pointers.push_back(static_cast<std::uint32_t>(csr.values.size()));
  }
  return csr;
}

std::size_t LongestRow(const CsrMatrix& matrix) {
  std::size_t longest = 0;
  for (std::size_t r = 0; r < matrix.rows; ++r) longest = std::max(longest, matrix.Length(r));
  return longest;
}

EllMatrix ToEll(const CsrMatrix& matrix) {
  Validate(matrix);
  return ToHybrid(matrix, LongestRow(matrix)).ell;
}

HybridMatrix ToHybrid(const CsrMatrix& matrix, std::size_t width) {
  Validate(matrix);
  HybridMatrix hybrid{Padding(matrix, width), {matrix.rows, matrix.columns, {}, {}, {}}};
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t i = 0; i < matrix.Length(r); ++i) {
      const std::size_t k = matrix.row_pointers[r] + i;
      if (i < width) {
        hybrid.ell.column_indices[i * matrix.rows + r] = matrix.column_indices[k];
        hybrid.ell.values[i * matrix.rows + r] = matrix.Value(k);
        continue;
      }
      hybrid.rest.row_indices.push_back(static_cast<std::uint32_t>(r));
      hybrid.rest.column_indices.push_back(matrix.column_indices[k]);
      hybrid.rest.values.push_back(matrix.Value(k));
    }
  }
  return hybrid;
}

JaggedMatrix ToJagged(const CsrMatrix& matrix) {
  Validate(matrix);
  JaggedMatrix jagged{matrix.rows, matrix.columns, {}, {0}, {}, {}};
  jagged.row_order.resize(matrix.rows);
  std::iota(jagged.row_order.begin(), jagged.row_order.end(), 0);
  std::stable_sort(jagged.row_order.begin(), jagged.row_order.end(),
                   [&](auto a, auto b) { return matrix.Length(a) > matrix.Length(b); });
  jagged.column_indices.reserve(matrix.size());
  jagged.values.reserve(matrix.size());
  const std::size_t longest = LongestRow(matrix);
  for (std::size_t d = 0; d < longest; ++d) {
    for (const std::uint32_t row : jagged.row_order) {
      if (matrix.Length(row) <= d) break;
      const std::size_t k = matrix.row_pointers[row] + d;
      jagged.column_indices.push_back(matrix.column_indices[k]);
      jagged.values.push_back(matrix.Value(k));
    }
    jagged.diagonal_pointers.push_back(static_cast<std::uint32_t>(jagged.values.size()));
  }
  return jagged;
}

}  // namespace sparse
