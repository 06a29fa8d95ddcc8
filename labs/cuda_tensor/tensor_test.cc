// The public test: a few simple cases for each part. The grader tests more; tensor.h says what.
// TakesTheCountedSize of each part has the size on which the grader counts.

#include "labs/cuda_tensor/tensor.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_tensor/halves.h"

namespace cuda_tensor {
namespace {

using Floats = std::vector<float>;

const lab::Function<decltype(AddScaled)> add_scaled{"AddScaled"};
const lab::Function<decltype(TensorProduct)> tensor_product{"TensorProduct"};
const lab::Function<decltype(PipelinedProduct)> pipelined_product{"PipelinedProduct"};
const lab::Function<decltype(FusedLayer)> fused_layer{"FusedLayer"};
const lab::Function<decltype(Attention)> attention{"Attention"};

Doubles ToDoubles(const Halves& halves) {
  Doubles values;
  for (const HalfBits half : halves) values.push_back(ToDouble(half));
  return values;
}

Halves ToHalves(const Doubles& values) {
  Halves halves;
  for (const double value : values) halves.push_back(ToHalf(value));
  return halves;
}

template <typename Add>
void ExpectScaledSum(const Add& add, double a, const Halves& x, Halves y) {
  Doubles want;
  for (std::size_t i = 0; i < x.size(); ++i) {
    want.push_back(ToDouble(HalfOfSum(ToHalf(a), x[i], y[i])));
  }
  add(ToHalf(a), x, y);
  EXPECT_TRUE(lab::ExpectAllEqual(ToDoubles(y), want)) << "with a = " << a;
}

TEST(AddScaledTest, AddsOnPaper) {
  ExpectScaledSum(add_scaled, 2, ToHalves({1, 2, 3, 4, 0.5}), ToHalves({10, 20, 30, -40, 0}));
}

// 33 * 33 = 1089 needs 11 digits, 2049 twelve: one rounding makes 1089 * 3 + 1 = 3268 of it.
TEST(AddScaledTest, RoundsOnce) {
  ExpectScaledSum(add_scaled, 33, ToHalves({99, 99.0625}), ToHalves({1, 1.0078125}));
}

TEST(AddScaledTest, AddsUpToInfinity) {
  ExpectScaledSum(add_scaled, 2, ToHalves({32768, -40000}), ToHalves({-32, 20000}));
}

TEST(AddScaledTest, TakesTheCountedSize) {
  lab::Random random;
  const int n = 100'000;
  ExpectScaledSum(add_scaled, 0.3, AnyHalves(n, -9, 9, random), AnyHalves(n, -9, 9, random));
}

TEST(AddScaledTest, AddsAnOddNumberOfElements) {
  lab::Random random;
  ExpectScaledSum(add_scaled, -1.5, AnyHalves(1003, -9, 9, random), AnyHalves(1003, -9, 9, random));
}

TEST(AddScaledTest, DoesNothingWithoutElements) { ExpectScaledSum(add_scaled, 1, {}, {}); }

TEST(AddScaledTest, ThrowsWhenARuntimeCallFails) {
  Halves y{0};
  const Halves x{0};
  lab::WithFailingCalls(add_scaled)(0, x, y);
}

template <typename Multiply>
void ExpectProduct(const Multiply& multiply, const Shape& shape) {
  lab::Random random;
  const Halves a = WholeHalves(shape.OfA(), random);
  const Halves b = WholeHalves(shape.OfB(), random);
  Floats c = lab::Poisoned<float>(shape.OfC());
  multiply(a, b, c, shape.m, shape.n, shape.k);
  const Doubles want = ProductOf(a, b, shape);
  EXPECT_TRUE(lab::ExpectAllEqual(c, Floats(want.begin(), want.end())))
      << "with m = " << shape.m << ", n = " << shape.n << ", k = " << shape.k;
}

TEST(TensorProductTest, MultipliesOneBlock) { ExpectProduct(tensor_product, {64, 64, 64}); }

TEST(TensorProductTest, MultipliesRectangles) { ExpectProduct(tensor_product, {64, 192, 128}); }

TEST(TensorProductTest, TakesTheCountedSize) { ExpectProduct(tensor_product, {512, 512, 64}); }

TEST(TensorProductTest, DoesNothingForEmptyMatrices) { ExpectProduct(tensor_product, {0, 64, 64}); }

TEST(TensorProductTest, ThrowsWhenARuntimeCallFails) {
  ExpectProduct(lab::WithFailingCalls(tensor_product), {64, 64, 64});
}

TEST(PipelinedProductTest, MultipliesOneBlock) { ExpectProduct(pipelined_product, {64, 64, 64}); }

TEST(PipelinedProductTest, MultipliesRectangles) {
  ExpectProduct(pipelined_product, {128, 64, 192});
}

TEST(PipelinedProductTest, TakesTheCountedSize) {
  ExpectProduct(pipelined_product, {256, 256, 256});
}

TEST(PipelinedProductTest, DoesNothingForEmptyMatrices) {
  ExpectProduct(pipelined_product, {64, 0, 64});
}

TEST(PipelinedProductTest, ThrowsWhenARuntimeCallFails) {
  ExpectProduct(lab::WithFailingCalls(pipelined_product), {64, 64, 64});
}

template <typename Layer>
void ExpectLayer(const Layer& layer, const Shape& shape) {
  lab::Random random;
  const Halves x = WholeHalves(shape.OfA(), random);
  const Halves w = WholeHalves(shape.OfB(), random);
  const Floats bias = random.Floats(shape.n, -20, 20);
  const Halves residual = WholeHalves(shape.OfC(), random);
  Halves y = lab::Poisoned<HalfBits>(shape.OfC());
  layer(x, w, bias, residual, y, shape.m, shape.n, shape.k);
  Doubles want = ProductOf(x, w, shape);
  for (std::size_t i = 0; i < want.size(); ++i) {
    want[i] = std::max(want[i] + double{bias[i % shape.n]}, 0.0) + ToDouble(residual[i]);
  }
  EXPECT_TRUE(lab::ExpectAllNear(ToDoubles(y), want, lab::Tolerance{0x1p-13, 0x1p-11}))
      << "with m = " << shape.m << ", n = " << shape.n << ", k = " << shape.k;
}

TEST(FusedLayerTest, TakesARow) { ExpectLayer(fused_layer, {1, 8, 8}); }

TEST(FusedLayerTest, TakesWholeBlocks) { ExpectLayer(fused_layer, {128, 64, 64}); }

TEST(FusedLayerTest, TakesPartsOfBlocks) { ExpectLayer(fused_layer, {67, 72, 40}); }

TEST(FusedLayerTest, TakesTheCountedSize) { ExpectLayer(fused_layer, {510, 504, 40}); }

TEST(FusedLayerTest, AddsTheBiasWithoutProducts) { ExpectLayer(fused_layer, {3, 16, 0}); }

TEST(FusedLayerTest, DoesNothingForEmptyMatrices) { ExpectLayer(fused_layer, {0, 8, 8}); }

TEST(FusedLayerTest, ThrowsWhenARuntimeCallFails) {
  ExpectLayer(lab::WithFailingCalls(fused_layer), {5, 8, 8});
}

template <typename Attend>
void ExpectAttention(const Attend& attend, int heads, int n, double size) {
  lab::Random random;
  const std::size_t of_head = std::size_t(n) * kHeadSize;
  const Halves q = AnyHalves(heads * of_head, -size, size, random);
  const Halves k = AnyHalves(heads * of_head, -size, size, random);
  const Halves v = AnyHalves(heads * of_head, -1, 1, random);
  Floats o = lab::Poisoned<float>(heads * of_head);
  attend(q, k, v, o, heads, n);
  for (int head = 0; head < heads; ++head) {
    const auto part = [&](const auto& all) {
      return std::decay_t<decltype(all)>(all.begin() + head * of_head,
                                         all.begin() + (head + 1) * of_head);
    };
    const Expected want = AttentionOf(part(q), part(k), part(v), n);
    EXPECT_TRUE(lab::ExpectAllNear(part(o), want.values, std::span<const double>(want.tolerances)))
        << "of head " << head << " with n = " << n;
  }
}

TEST(AttentionTest, TakesTheOnlyValue) { ExpectAttention(attention, 1, 1, 1); }

TEST(AttentionTest, TakesOneTile) { ExpectAttention(attention, 1, 64, 1); }

TEST(AttentionTest, TakesPartsOfTiles) { ExpectAttention(attention, 2, 77, 2); }

TEST(AttentionTest, TakesLargeScores) { ExpectAttention(attention, 1, 50, 8); }

TEST(AttentionTest, TakesTheCountedSize) { ExpectAttention(attention, 8, 128, 2); }

TEST(AttentionTest, DoesNothingWithoutRows) { ExpectAttention(attention, 2, 0, 1); }

TEST(AttentionTest, ThrowsWhenARuntimeCallFails) {
  ExpectAttention(lab::WithFailingCalls(attention), 1, 16, 1);
}

}  // namespace
}  // namespace cuda_tensor
