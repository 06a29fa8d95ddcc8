// What the simulator counts, on sizes that lab.toml's thresholds are for.

#include <gtest/gtest.h>

#include "solutions/cuda_tensor/hidden_parts.h"

namespace cuda_tensor::cost_test {

TEST(AddScaledCounted, AddsAnArray) {
  lab::Random random;
  const int n = 100'000;
  ExpectScaledSum(add_scaled, ToHalf(0.3), AnyHalves(n, -9, 9, random),
                  AnyHalves(n, -9, 9, random));
}

TEST(TensorProductCounted, MultipliesManyBlocks) {
  lab::Random random;
  ExpectExactProduct(With(tensor_product), WholeProblem({512, 512, 64}, random));
}

TEST(PipelinedProductCounted, MultipliesLongRows) {
  lab::Random random;
  ExpectExactProduct(With(pipelined_product), WholeProblem({256, 256, 256}, random));
}

TEST(PipelinedProductBlocksCounted, MultipliesManyBlocks) {
  lab::Random random;
  ExpectExactProduct(With(pipelined_product), WholeProblem({512, 512, 64}, random));
}

TEST(FusedLayerCounted, TakesPartsOfBlocks) {
  lab::Random random;
  ExpectLayer(kLayer, AnyLayer({510, 504, 40}, random));
}

TEST(AttentionCounted, TakesSeveralTiles) {
  lab::Random random;
  ExpectAttention(kAttend, AnyHeads(8, 128, 2, random));
}

TEST(AttentionHeadsCounted, TakesManyHeads) {
  lab::Random random;
  ExpectAttention(kAttend, AnyHeads(64, 64, 2, random));
}

}  // namespace cuda_tensor::cost_test
