#pragma once

// The functions that multiply, each given a matrix in the layout that it asks for.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/lab/testing/function.h"
#include "solutions/cuda_spmv/hidden_inputs.h"

namespace spmv_test {

inline const lab::Function<decltype(MultiplyByThreads)> multiply_by_threads{"MultiplyByThreads"};
inline const lab::Function<decltype(MultiplyByWarps)> multiply_by_warps{"MultiplyByWarps"};
inline const lab::Function<decltype(BuildEll)> build_ell{"BuildEll"};
inline const lab::Function<decltype(MultiplyEll)> multiply_ell{"MultiplyEll"};
inline const lab::Function<decltype(MultiplyCoo)> multiply_coo{"MultiplyCoo"};
inline const lab::Function<decltype(MultiplyHybrid)> multiply_hybrid{"MultiplyHybrid"};
inline const lab::Function<decltype(MultiplyJagged)> multiply_jagged{"MultiplyJagged"};

inline const Multiply kByThreads = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  multiply_by_threads(a.row_pointers, a.column_indices, a.values, x, y);
};

inline const Multiply kByWarps = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  multiply_by_warps(a.row_pointers, a.column_indices, a.values, x, y);
};

inline void CallEll(const sparse::EllMatrix& ell, const Floats& x, Floats& y) {
  multiply_ell(ell.column_indices, ell.values, x, y);
}

inline const Multiply kEll = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  CallEll(sparse::ToEll(a), x, y);
};

// Each row has slots of padding.
inline const Multiply kWideEll = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  CallEll(sparse::ToHybrid(a, sparse::LongestRow(a) + 3).ell, x, y);
};

inline void CallCoo(const sparse::CooMatrix& coo, const Floats& x, Floats& y) {
  multiply_coo(coo.row_indices, coo.column_indices, coo.values, x, y);
}

inline const Multiply kCoo = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  CallCoo(sparse::ToCoo(a), x, y);
};

// Entries in random order.
inline const Multiply kShuffledCoo = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  const sparse::CooMatrix sorted = sparse::ToCoo(a);
  std::vector<std::size_t> order(sorted.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  lab::Random random;
  random.Shuffle(order);
  sparse::CooMatrix coo{a.rows, a.columns, {}, {}, {}};
  for (const std::size_t k : order) {
    coo.row_indices.push_back(sorted.row_indices[k]);
    coo.column_indices.push_back(sorted.column_indices[k]);
    coo.values.push_back(sorted.values[k]);
  }
  CallCoo(coo, x, y);
};

inline void CallHybrid(const sparse::HybridMatrix& hybrid, const Floats& x, Floats& y) {
  multiply_hybrid(hybrid.ell.column_indices, hybrid.ell.values, hybrid.rest.row_indices,
                  hybrid.rest.column_indices, hybrid.rest.values, x, y);
}

inline Multiply HybridOfWidth(std::size_t width) {
  return [width](const CsrMatrix& a, const Floats& x, Floats& y) {
    CallHybrid(sparse::ToHybrid(a, width), x, y);
  };
}

inline const Multiply kHybridWithoutRest = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  CallHybrid(sparse::ToHybrid(a, sparse::LongestRow(a)), x, y);
};

inline void CallJagged(const sparse::JaggedMatrix& jagged, const Floats& x, Floats& y) {
  multiply_jagged(jagged.row_order, jagged.diagonal_pointers, jagged.column_indices, jagged.values,
                  x, y);
}

inline const Multiply kJagged = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  CallJagged(sparse::ToJagged(a), x, y);
};

inline const lab::Function<decltype(MultiplyDiagonals)> multiply_diagonals{"MultiplyDiagonals"};
inline const lab::Function<decltype(MultiplyByColumns)> multiply_by_columns{"MultiplyByColumns"};
inline const lab::Function<decltype(MultiplyBlocks)> multiply_blocks{"MultiplyBlocks"};

inline const Multiply kByColumns = [](const CsrMatrix& a, const Floats& x, Floats& y) {
  const CsrMatrix csc = sparse::Transposed(a);
  multiply_by_columns(csc.row_pointers, csc.column_indices, csc.values, x, y);
};

// These ignore the matrix that they get: they multiply the given one, which is the same.
inline Multiply ByDiagonals(const sparse::DiagonalMatrix& matrix) {
  return [&matrix](const CsrMatrix&, const Floats& x, Floats& y) {
    multiply_diagonals(matrix.offsets, matrix.values, x, y);
  };
}

inline Multiply ByBlocks(const sparse::BlockMatrix& matrix) {
  return [&matrix](const CsrMatrix&, const Floats& x, Floats& y) {
    multiply_blocks(matrix.blocks.row_pointers, matrix.blocks.column_indices, matrix.values, x, y);
  };
}

// Whole numbers, some of them 0; places without a column hold NaN.
inline sparse::DiagonalMatrix Diagonals(lab::Random& random, std::size_t rows, std::size_t columns,
                                        const std::vector<std::int32_t>& offsets) {
  sparse::DiagonalMatrix matrix{rows, columns, offsets, Floats(rows * offsets.size(), kNotANumber)};
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    const auto column = static_cast<std::int64_t>(i % rows) + offsets[i / rows];
    if (column < 0 || column >= static_cast<std::int64_t>(columns)) continue;
    matrix.values[i] = static_cast<float>(random.UniformInt(-7, 7));
  }
  return matrix;
}

inline sparse::BlockMatrix Blocks(lab::Random& random, CsrMatrix blocks) {
  blocks.values.clear();
  const Floats values = WholeNumbers(random, blocks.size() * kBlockEdge * kBlockEdge);
  return {kBlockEdge, std::move(blocks), values};
}

}  // namespace spmv_test
