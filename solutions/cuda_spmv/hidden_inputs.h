#pragma once

// What the tests of the parts share: matrices whose products are known exactly, layouts, bounds.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/sparse/formats.h"
#include "common/sparse/generate.h"
#include "labs/cuda_spmv/spmv.h"

namespace spmv_test {

static_assert(kNoColumn == sparse::kNoColumn);

using Floats = std::vector<float>;
using Lengths = std::vector<std::size_t>;
using sparse::CsrMatrix;

// Multiplies a matrix, in whatever layout, by x.
using Multiply = std::function<void(const CsrMatrix&, const Floats& x, Floats& y)>;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

// Whole numbers, none of them 0. Sums of up to 300,000 of their products do not round: each is 49
// at most.
inline Floats WholeNumbers(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (float& value : values) {
    const int size = random.UniformInt(1, 7);
    value = static_cast<float>(random.UniformInt(0, 1) == 0 ? size : -size);
  }
  return values;
}

inline CsrMatrix WithWholeNumbers(lab::Random& random, CsrMatrix matrix) {
  matrix.values = WholeNumbers(random, matrix.size());
  return matrix;
}

// Row r has lengths[r] entries in random columns, not ordered, some of them perhaps equal.
// columns > 0, or all lengths are 0.
inline CsrMatrix OfLengths(lab::Random& random, const Lengths& lengths, std::size_t columns) {
  CsrMatrix matrix;
  matrix.rows = lengths.size();
  matrix.columns = columns;
  for (const std::size_t length : lengths) {
    for (std::size_t i = 0; i < length; ++i) {
      matrix.column_indices.push_back(
          random.UniformInt<std::uint32_t>(0, static_cast<std::uint32_t>(columns - 1)));
    }
    matrix.row_pointers.push_back(static_cast<std::uint32_t>(matrix.size()));
  }
  return WithWholeNumbers(random, std::move(matrix));
}

// Short rows of different lengths.
inline CsrMatrix Short(lab::Random& random, std::size_t rows, std::size_t columns) {
  Lengths lengths(rows);
  for (std::size_t& length : lengths) length = random.UniformInt<std::size_t>(0, 9);
  return OfLengths(random, lengths, columns);
}

inline CsrMatrix PowerLaw(lab::Random& random, std::size_t scale, std::size_t edges_of_vertex) {
  return WithWholeNumbers(random,
                          sparse::ToCsr(sparse::Rmat(scale, edges_of_vertex << scale, random)));
}

inline CsrMatrix Band(lab::Random& random, std::size_t rows, std::size_t below, std::size_t above) {
  return WithWholeNumbers(random, sparse::Banded(rows, below, above));
}

// The product, and by how much the contract lets each element be missed. Each product goes through
// one rounding of its own and up to L - 1 additions, each a factor 1 + d with |d| <= u = 2^-24; L
// of them are 1 + e with |e| <= L u / (1 - L u) (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 3.1). 2^-50 more is for the sums here.
struct ExpectedProduct {
  std::vector<double> values;
  std::vector<double> tolerances;
};

inline ExpectedProduct Expected(const CsrMatrix& matrix, std::span<const float> x) {
  ExpectedProduct want{std::vector<double>(matrix.rows), std::vector<double>(matrix.rows)};
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    long double sum = 0;
    long double absolute = 0;
    bool whole = true;
    for (std::size_t k = matrix.row_pointers[r]; k < matrix.row_pointers[r + 1]; ++k) {
      const double product = double{matrix.values[k]} * double{x[matrix.column_indices[k]]};
      sum += product;
      absolute += std::abs(product);
      whole = whole && product == std::trunc(product);
    }
    want.values[r] = static_cast<double>(sum);
    if (whole && absolute <= 0x1p24L) continue;
    const double lu = static_cast<double>(matrix.Length(r)) * 0x1p-24;
    want.tolerances[r] = (lu / (1 - lu) + 0x1p-50) * static_cast<double>(absolute);
  }
  return want;
}

// `y` is what the result holds before.
inline void ExpectProduct(const Multiply& multiply, const CsrMatrix& matrix, const Floats& x,
                          Floats y) {
  SCOPED_TRACE("with " + std::to_string(matrix.rows) + " rows, " + std::to_string(matrix.columns) +
               " columns and " + std::to_string(matrix.size()) + " entries");
  const ExpectedProduct want = Expected(matrix, x);
  multiply(matrix, x, y);
  lab::ExpectAllNear(y, want.values, std::span<const double>(want.tolerances));
}

inline void ExpectProduct(const Multiply& multiply, const CsrMatrix& matrix, const Floats& x) {
  ExpectProduct(multiply, matrix, x, lab::Poisoned<float>(matrix.rows));
}

inline void ExpectProduct(const Multiply& multiply, const CsrMatrix& matrix, lab::Random& random) {
  ExpectProduct(multiply, matrix, WholeNumbers(random, matrix.columns));
}

}  // namespace spmv_test
