#pragma once

// What the hidden tests of the lab "Convolution on a GPU" convolve, and what they expect.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_convolution/convolution.h"

namespace cuda_convolution {

inline const lab::Function<decltype(Convolve)> convolve{"Convolve"};
inline const lab::Function<decltype(ConvolveTiled)> convolve_tiled{"ConvolveTiled"};
inline const lab::Function<decltype(ConvolveCached)> convolve_cached{"ConvolveCached"};
inline const lab::Function<decltype(ConvolveSeparable)> convolve_separable{"ConvolveSeparable"};
inline const lab::Function<decltype(ConvolveLarge)> convolve_large{"ConvolveLarge"};
inline const lab::Function<decltype(ConvolveTexture)> convolve_texture{"ConvolveTexture"};

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

struct Size {
  int width, height;
  int radius_x, radius_y;

  std::size_t pixels() const { return std::size_t(width) * height; }
  std::size_t across() const { return 2 * std::size_t(radius_x) + 1; }
  std::size_t down() const { return 2 * std::size_t(radius_y) + 1; }
  std::size_t weights() const { return across() * down(); }
};

inline std::ostream& operator<<(std::ostream& out, const Size& size) {
  return out << size.width << " x " << size.height << " pixels, a mask of " << size.across()
             << " x " << size.down();
}

// `row` and `column` are for part 4, whose mask is their product; the other parts have `mask`.
struct Problem {
  Size size;
  Floats in;
  Floats mask = {};
  Floats row = {};
  Floats column = {};

  bool IsSeparable() const { return mask.empty(); }
  // How many products and sums are rounded on the way of a pixel into a result, at most.
  std::size_t Roundings() const { return IsSeparable() ? row.size() + column.size() : mask.size(); }
  // In double precision the products of `row` and `column` are exact.
  Doubles ExactMask() const {
    if (!IsSeparable()) return Doubles(mask.begin(), mask.end());
    Doubles weights;
    for (const float down : column) {
      for (const float across : row) weights.push_back(double{across} * double{down});
    }
    return weights;
  }
};

// One of the lab's functions.
using Convolver = std::function<void(const Problem&, Floats& out)>;

// The sums in double precision.
inline Doubles Convolved(const Doubles& in, const Doubles& mask, const Size& size) {
  Doubles out(in.size());
  const std::ptrdiff_t width = size.width;
  for (int y = 0; y < size.height; ++y) {
    const int above = std::min(y, size.radius_y);
    const int below = std::min(size.height - 1 - y, size.radius_y);
    for (int x = 0; x < size.width; ++x) {
      const int left = std::min(x, size.radius_x);
      const int right = std::min(size.width - 1 - x, size.radius_x);
      double sum = 0;
      for (int dy = -above; dy <= below; ++dy) {
        const double* const weights =
            mask.data() + std::size_t(dy + size.radius_y) * size.across() + size.radius_x;
        const double* const pixels = in.data() + (y + dy) * width + x;
        for (int dx = -left; dx <= right; ++dx) sum += weights[dx] * pixels[dx];
      }
      out[std::size_t(y) * size.width + x] = sum;
    }
  }
  return out;
}

inline Doubles ExactPixels(const Problem& problem) {
  return Convolved(Doubles(problem.in.begin(), problem.in.end()), problem.ExactMask(),
                   problem.size);
}

// gamma * size, as in the contract, plus the error of the sums in double.
inline Doubles Tolerances(const Problem& problem) {
  Doubles mask = problem.ExactMask();
  for (double& weight : mask) weight = std::abs(weight);
  Doubles sizes(problem.in.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::abs(double{problem.in[i]});
  sizes = Convolved(sizes, mask, problem.size);
  const auto n = static_cast<double>(problem.Roundings());
  const auto in_double = static_cast<double>(mask.size());
  const double gamma = n * 0x1p-24 / (1 - n * 0x1p-24) + 2 * in_double * 0x1p-53;
  for (double& size : sizes) size *= gamma;
  return sizes;
}

inline Floats Call(const Convolver& convolve, const Problem& problem) {
  Floats out = lab::Poisoned<float>(problem.size.pixels());
  convolve(problem, out);
  return out;
}

inline void ExpectPixels(const Convolver& convolve, const Problem& problem) {
  SCOPED_TRACE(testing::Message() << problem.size);
  const Floats out = Call(convolve, problem);
  lab::ExpectAllNear(out, ExactPixels(problem), std::span<const double>(Tolerances(problem)));
}

// Small whole numbers: every sum is exact, in any order.
inline void ExpectExactPixels(const Convolver& convolve, const Problem& problem) {
  SCOPED_TRACE(testing::Message() << problem.size);
  const Doubles want = ExactPixels(problem);
  lab::ExpectAllEqual(Call(convolve, problem), Floats(want.begin(), want.end()));
}

// Whole numbers from -low to low.
inline Floats WholeNumbers(std::size_t n, int low, lab::Random& random) {
  Floats values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-low, low));
  return values;
}

// The sums of up to 2^18 products stay below 2^24.
inline Problem WholeProblem(const Size& size, lab::Random& random) {
  return {size, WholeNumbers(size.pixels(), 8, random), WholeNumbers(size.weights(), 7, random)};
}

inline Problem AnyProblem(const Size& size, lab::Random& random) {
  return {size, random.Floats(size.pixels(), -1, 1), random.Floats(size.weights(), -1, 1)};
}

inline Problem WholeSeparable(const Size& size, lab::Random& random) {
  return {size,
          WholeNumbers(size.pixels(), 8, random),
          {},
          WholeNumbers(size.across(), 7, random),
          WholeNumbers(size.down(), 7, random)};
}

inline Problem AnySeparable(const Size& size, lab::Random& random) {
  return {size,
          random.Floats(size.pixels(), -1, 1),
          {},
          random.Floats(size.across(), -1, 1),
          random.Floats(size.down(), -1, 1)};
}

}  // namespace cuda_convolution
