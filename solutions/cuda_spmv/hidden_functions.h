#pragma once

// The functions that multiply, each given a matrix in the layout that it asks for.

#include <cstddef>
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

}  // namespace spmv_test
