#pragma once

// What the hidden tests of the lab "Tensor cores and attention" compute, and what they expect.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_tensor/halves.h"

namespace cuda_tensor {

inline const lab::Function<decltype(AddScaled)> add_scaled{"AddScaled"};
inline const lab::Function<decltype(TensorProduct)> tensor_product{"TensorProduct"};
inline const lab::Function<decltype(PipelinedProduct)> pipelined_product{"PipelinedProduct"};
inline const lab::Function<decltype(FusedLayer)> fused_layer{"FusedLayer"};
inline const lab::Function<decltype(Attention)> attention{"Attention"};

using Floats = std::vector<float>;

inline std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << "m = " << shape.m << ", n = " << shape.n << ", k = " << shape.k;
}

inline Doubles ToDoubles(const Halves& halves) {
  Doubles values;
  values.reserve(halves.size());
  for (const HalfBits half : halves) values.push_back(ToDouble(half));
  return values;
}

// AddScaled.

using Add = std::function<void(HalfBits, const Halves&, Halves&)>;

inline void ExpectScaledSum(const Add& add, HalfBits a, const Halves& x, Halves y) {
  Doubles want;
  want.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) want.push_back(ToDouble(HalfOfSum(a, x[i], y[i])));
  add(a, x, y);
  lab::ExpectAllEqual(ToDoubles(y), want);
}

// TensorProduct and PipelinedProduct.

struct Problem {
  Shape shape;
  Halves a, b;
};

using Multiply = std::function<void(const Problem&, Floats& c)>;

template <typename F>
Multiply With(const F& function) {
  return [&function](const Problem& problem, Floats& c) {
    const auto [m, n, k] = problem.shape;
    function(problem.a, problem.b, c, m, n, k);
  };
}

inline Problem AnyProblem(const Shape& shape, double low, lab::Random& random) {
  return {shape, AnyHalves(shape.OfA(), low, 1, random), AnyHalves(shape.OfB(), low, 1, random)};
}

inline Problem WholeProblem(const Shape& shape, lab::Random& random) {
  return {shape, WholeHalves(shape.OfA(), random), WholeHalves(shape.OfB(), random)};
}

// Within gamma(k) times the sum of the products' absolute values.
inline void ExpectProduct(const Multiply& multiply, const Problem& problem) {
  const auto& [shape, a, b] = problem;
  Floats c = lab::Poisoned<float>(shape.OfC());
  multiply(problem, c);
  SCOPED_TRACE(testing::Message() << "with " << shape);
  Doubles tolerances = ProductOf(a, b, shape, [](double x) { return std::abs(x); });
  for (double& tolerance : tolerances) tolerance *= Gamma(shape.k);
  lab::ExpectAllNear(c, ProductOf(a, b, shape), std::span<const double>(tolerances));
}

inline void ExpectExactProduct(const Multiply& multiply, const Problem& problem) {
  const auto& [shape, a, b] = problem;
  Floats c = lab::Poisoned<float>(shape.OfC());
  multiply(problem, c);
  SCOPED_TRACE(testing::Message() << "with " << shape);
  const Doubles want = ProductOf(a, b, shape);
  lab::ExpectAllEqual(c, Floats(want.begin(), want.end()));
}

// FusedLayer.

struct LayerProblem {
  Shape shape;
  Halves x, w;
  Floats bias;
  Halves residual;
};

using Layer = std::function<void(const LayerProblem&, Halves& y)>;

inline const Layer kLayer = [](const LayerProblem& of, Halves& y) {
  fused_layer(of.x, of.w, of.bias, of.residual, y, of.shape.m, of.shape.n, of.shape.k);
};

inline LayerProblem AnyLayer(const Shape& shape, lab::Random& random) {
  return {shape, AnyHalves(shape.OfA(), -1, 1, random), AnyHalves(shape.OfB(), -1, 1, random),
          random.Floats(shape.n, -1, 1), AnyHalves(shape.OfC(), -1, 1, random)};
}

// Before it is rounded to half: an element, and how far from it another may be.
inline Expected LayerOf(const LayerProblem& of) {
  const std::size_t n = of.shape.n;
  Expected want{ProductOf(of.x, of.w, of.shape),
                ProductOf(of.x, of.w, of.shape, [](double x) { return std::abs(x); })};
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    const double bias = of.bias[i % n];
    const double residual = ToDouble(of.residual[i]);
    const double z = want.values[i] + bias;
    want.values[i] = (z < 0 ? 0 : z) + residual;
    want.tolerances[i] = Gamma(of.shape.k + 2) * (want.tolerances[i] + std::abs(bias)) +
                         0x1p-22 * std::abs(residual);
  }
  return want;
}

// Each element is a half between those nearest to both ends of what is allowed; they may be the
// largest half and infinity.
inline void ExpectLayer(const Layer& layer, const LayerProblem& problem) {
  Halves y = lab::Poisoned<HalfBits>(problem.shape.OfC());
  layer(problem, y);
  SCOPED_TRACE(testing::Message() << "with " << problem.shape);
  const Expected near = LayerOf(problem);
  const Doubles got = ToDoubles(y);
  Doubles want;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double value = near.values[i], by = near.tolerances[i];
    const bool is_finite = std::isfinite(value) && std::isfinite(by);
    const double low = ToDouble(ToHalf(is_finite ? value - by : value));
    const double high = ToDouble(ToHalf(is_finite ? value + by : value));
    want.push_back(low < high && !std::isnan(got[i]) ? std::clamp(got[i], low, high) : low);
  }
  lab::ExpectAllEqual(got, want);
}

// Attention.

struct HeadProblem {
  int heads, n;
  Halves q, k, v;
};

using Attend = std::function<void(const HeadProblem&, Floats& o)>;

inline const Attend kAttend = [](const HeadProblem& of, Floats& o) {
  attention(of.q, of.k, of.v, o, of.heads, of.n);
};

// Queries and keys from -size to size.
inline HeadProblem AnyHeads(int heads, int n, double size, lab::Random& random) {
  const std::size_t all = std::size_t(heads) * n * kHeadSize;
  return {heads, n, AnyHalves(all, -size, size, random), AnyHalves(all, -size, size, random),
          AnyHalves(all, -1, 1, random)};
}

inline void ExpectAttention(const Attend& attend, const HeadProblem& problem) {
  Floats o = lab::Poisoned<float>(problem.q.size());
  attend(problem, o);
  SCOPED_TRACE(testing::Message() << "with " << problem.heads << " heads, n = " << problem.n);
  const std::size_t of_head = std::size_t(problem.n) * kHeadSize;
  Doubles want, tolerances;
  for (int head = 0; head < problem.heads; ++head) {
    const auto part = [&](const Halves& all) {
      return Halves(all.begin() + head * of_head, all.begin() + (head + 1) * of_head);
    };
    const Expected one = AttentionOf(part(problem.q), part(problem.k), part(problem.v), problem.n);
    want.insert(want.end(), one.values.begin(), one.values.end());
    tolerances.insert(tolerances.end(), one.tolerances.begin(), one.tolerances.end());
  }
  lab::ExpectAllNear(o, want, std::span<const double>(tolerances));
}

}  // namespace cuda_tensor
