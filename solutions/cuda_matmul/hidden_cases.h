#pragma once

// What the tests of the parts share.

#include <cmath>
#include <vector>

#include "solutions/cuda_matmul/hidden_product.h"

namespace cuda_matmul {

// Where tiles of 8, 16, 32, 64 and 128 begin and end.
inline std::vector<int> EdgeWidths() {
  return {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129};
}

inline void ExpectEach(const Multiply& multiply, const std::vector<Shape>& shapes,
                       lab::Random& random) {
  for (const Shape& shape : shapes) {
    ExpectProduct(multiply, AnyProblem(shape, random));
    if (testing::Test::HasFailure()) return;
  }
}

// The first case of a part: small enough to check by hand, no two widths alike, each of its own
// parity.
inline void ExpectSmallProduct(const Multiply& multiply) {
  ExpectExactProduct(multiply, {{2, 3, 4},
                                {1, 2, 3, 4, 5, 6},
                                {1, 0, 0, 1,  //
                                 0, 1, 0, 1,  //
                                 0, 0, 1, 1}});
}

// From 2^-30 to 2^30, either sign: sums in which most products are lost in the rounding.
inline Floats NumbersOfManySizes(std::size_t n, lab::Random& random) {
  Floats values(n);
  for (float& value : values) {
    value = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-30, 30));
  }
  return values;
}

}  // namespace cuda_matmul
