// Parts 4 and 5: the layer and attention.

#include <gtest/gtest.h>

#include <limits>

#include "solutions/cuda_tensor/hidden_parts.h"

namespace cuda_tensor::fused_test {

struct FusedLayerTest : testing::Test {
  lab::Random random;

  void ExpectAny(const Shape& shape) { ExpectLayer(kLayer, AnyLayer(shape, random)); }
};

// Each width in turn at the edges of tiles.
TEST_F(FusedLayerTest, TakesEveryShape) {
  for (const int m : {1, 2, 15, 16, 17, 63, 64, 65, 129}) ExpectAny({m, 24, 40});
  for (const int n : {8, 16, 24, 56, 64, 72, 136}) ExpectAny({20, n, 24});
  for (const int k : {8, 16, 24, 32, 40, 64, 72, 136}) ExpectAny({20, 40, k});
}

TEST_F(FusedLayerTest, TakesWholeTiles) { ExpectAny({128, 128, 64}); }

TEST_F(FusedLayerTest, DoesNothingForEmptyMatrices) {
  ExpectAny({0, 16, 8});
  ExpectAny({7, 0, 8});
}

TEST_F(FusedLayerTest, AddsTheBiasWithoutProducts) { ExpectAny({70, 72, 0}); }

// 2^-12 of a sum is lost if it is rounded to half before the bias takes most of it away.
TEST_F(FusedLayerTest, RoundsToHalfAtTheEndOnly) {
  LayerProblem problem = AnyLayer({30, 32, 64}, random);
  for (HalfBits& half : problem.x) half &= 0x7fff;
  for (HalfBits& half : problem.w) half &= 0x7fff;
  problem.bias.assign(problem.bias.size(), -15.9f);
  ExpectLayer(kLayer, problem);
  problem.bias.assign(problem.bias.size(), 0);
  for (HalfBits& half : problem.residual) half = ToHalf(-15.9);
  ExpectLayer(kLayer, problem);
}

TEST_F(FusedLayerTest, OverflowsToInfinityAndNoEarlier) {
  LayerProblem problem = AnyLayer({20, 16, 16}, random);
  for (HalfBits& half : problem.x) half = ToHalf(ToDouble(half) * 1000);
  for (HalfBits& half : problem.w) half = ToHalf(ToDouble(half) * 100);
  ExpectLayer(kLayer, problem);
  for (HalfBits& half : problem.residual) half = ToHalf(-60000);
  ExpectLayer(kLayer, problem);
  // Close below the middle of the largest half and what would be the next: infinity is right, too.
  problem.x.assign(problem.x.size(), 0);
  problem.bias.assign(problem.bias.size(), 65519.99f);
  problem.residual.assign(problem.residual.size(), 0);
  ExpectLayer(kLayer, problem);
}

// What is beyond the edges is 0 on both sides, as 0 * infinity is NaN, and relu(NaN) is NaN.
TEST_F(FusedLayerTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  const auto [m, n, k] = Shape{67, 72, 40};
  LayerProblem problem = AnyLayer({m, n, k}, random);
  problem.x[5 * k + k - 1] = kHalfInfinity;
  problem.x[(m - 1) * k + 3] = kHalfInfinity | 0x8000;
  problem.w[(k - 1) * n + 7] = kHalfInfinity;
  problem.w[3 * n + n - 1] = 0x7e00;
  problem.bias[20] = std::numeric_limits<float>::quiet_NaN();
  problem.bias[21] = -std::numeric_limits<float>::infinity();
  problem.residual[30 * n + 30] = 0x7e00;
  ExpectLayer(kLayer, problem);
}

TEST_F(FusedLayerTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 6; ++call) {
    const int m = random.UniformInt(0, 80);
    ExpectAny({m, 8 * random.UniformInt(0, 9), 8 * random.UniformInt(0, 9)});
  }
}

TEST_F(FusedLayerTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectAny({70, 40, 24});
  });
}

TEST_F(FusedLayerTest, ThrowsWhenARuntimeCallFails) {
  ExpectLayer(lab::WithFailingCalls(kLayer), AnyLayer({9, 16, 8}, random));
}

struct AttentionTest : testing::Test {
  lab::Random random;

  void ExpectAny(int heads, int n, double size) {
    ExpectAttention(kAttend, AnyHeads(heads, n, size, random));
  }
};

TEST_F(AttentionTest, TakesEveryNumberOfRows) {
  for (const int n : {1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 97, 128, 129}) {
    ExpectAny(1, n, 2);
  }
}

TEST_F(AttentionTest, KeepsHeadsApart) {
  ExpectAny(3, 37, 2);
  ExpectAny(5, 64, 2);
}

TEST_F(AttentionTest, DoesNothingWithoutRowsOrHeads) {
  ExpectAny(3, 0, 1);
  ExpectAny(0, 5, 1);
}

// Scores of some hundreds: e to their power is beyond a float.
TEST_F(AttentionTest, TakesLargeScores) {
  HeadProblem problem = AnyHeads(1, 70, 8, random);
  ExpectAttention(kAttend, problem);
  for (std::size_t i = 0; i < problem.q.size(); ++i) {
    problem.q[i] = ToHalf(std::abs(ToDouble(problem.q[i])));
    problem.k[i] = ToHalf(-std::abs(ToDouble(problem.k[i])));
  }
  ExpectAttention(kAttend, problem);
}

// Key j has the score j / 4, or its opposite: in each tile the largest score grows, or none does.
TEST_F(AttentionTest, TakesScoresThatGrowOrFall) {
  for (const double step : {2.0, -2.0}) {
    HeadProblem problem = AnyHeads(1, 100, 1, random);
    for (int i = 0; i < 100 * kHeadSize; ++i) {
      problem.q[i] = ToHalf(i % kHeadSize == 5 ? 1 : 0);
      problem.k[i] = ToHalf(i % kHeadSize == 5 ? i / kHeadSize * step : 0);
    }
    ExpectAttention(kAttend, problem);
  }
}

TEST_F(AttentionTest, TakesTheMeanOfEqualKeys) {
  HeadProblem problem = AnyHeads(1, 90, 1, random);
  for (std::size_t i = 0; i < problem.k.size(); ++i) problem.k[i] = problem.k[i % kHeadSize];
  ExpectAttention(kAttend, problem);
}

// The weight of one key is 1, the sizes of its values tell which it is.
TEST_F(AttentionTest, PicksTheKeyLikeTheQuery) {
  HeadProblem problem = AnyHeads(2, 60, 1, random);
  for (int i = 0; i < 2 * 60 * kHeadSize; ++i) {
    const int row = i / kHeadSize % 60;
    problem.q[i] = problem.k[i] = ToHalf(i % kHeadSize == row ? 40 : 0);
    problem.v[i] = ToHalf(row * 8 + i % 8);
  }
  ExpectAttention(kAttend, problem);
}

TEST_F(AttentionTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 4; ++call) {
    const int heads = random.UniformInt(0, 2);
    ExpectAny(heads, random.UniformInt(0, 70), 1);
  }
}

TEST_F(AttentionTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectAny(2, 40, 1);
  });
}

TEST_F(AttentionTest, TakesALongHead) { ExpectAny(1, static_cast<int>(lab::Scaled(400)) + 7, 1); }

TEST_F(AttentionTest, ThrowsWhenARuntimeCallFails) {
  ExpectAttention(lab::WithFailingCalls(kAttend), AnyHeads(1, 20, 1, random));
}

}  // namespace cuda_tensor::fused_test
