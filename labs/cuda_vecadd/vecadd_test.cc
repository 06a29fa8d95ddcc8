// The public test: a few friendly cases for each part. The grader asks more; vecadd.h says what.
// Device spans and streams are made by the test harness: here everything is in host memory.

#include "labs/cuda_vecadd/vecadd.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"

namespace {

using Floats = std::vector<float>;

const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};

struct Vectors {
  Floats a, b, want;
};

Vectors RandomVectors(std::size_t n) {
  lab::Random random;
  Vectors vectors{random.Floats(n, -1, 1), random.Floats(n, -1, 1), Floats(n)};
  for (std::size_t i = 0; i < n; ++i) vectors.want[i] = vectors.a[i] + vectors.b[i];
  return vectors;
}

TEST(VecAddHostTest, AddsFourNumbers) {
  auto c = lab::Poisoned<float>(4);
  vec_add_host(Floats{1, 2, 3, 4}, Floats{10, 20, 30, 40}, c);
  lab::ExpectAllEqual(c, Floats{11, 22, 33, 44});
}

TEST(VecAddHostTest, AddsNothing) {
  Floats c;
  vec_add_host(Floats(), Floats(), c);
}

TEST(VecAddHostTest, AddsAThousandNumbers) {
  const Vectors vectors = RandomVectors(1000);
  auto c = lab::Poisoned<float>(1000);
  vec_add_host(vectors.a, vectors.b, c);
  lab::ExpectAllEqual(c, vectors.want);
}

TEST(VecAddTest, AddsOneBlock) {
  const Vectors vectors = RandomVectors(256);
  auto c = lab::Poisoned<float>(256);
  vec_add(vectors.a, vectors.b, c);
  lab::ExpectAllEqual(c, vectors.want);
}

TEST(VecAddTest, AddsWhatIsNotAMultipleOfTheBlock) {
  const Vectors vectors = RandomVectors(1000);
  auto c = lab::Poisoned<float>(1000);
  vec_add(vectors.a, vectors.b, c);
  lab::ExpectAllEqual(c, vectors.want);
}

TEST(VecAddTest, AddsNothing) {
  Floats c;
  vec_add(Floats(), Floats(), c);
}

TEST(VecAddGridStrideTest, AddsWithMoreThreadsThanElements) {
  auto c = lab::Poisoned<float>(3);
  vec_add_grid_stride(Floats{1, 2, 3}, Floats{1, 1, 1}, c, 4);
  lab::ExpectAllEqual(c, Floats{2, 3, 4});
}

TEST(VecAddGridStrideTest, AddsWhatIsFarLargerThanTheGrid) {
  const Vectors vectors = RandomVectors(100'003);
  auto c = lab::Poisoned<float>(100'003);
  vec_add_grid_stride(vectors.a, vectors.b, c, 2);
  lab::ExpectAllEqual(c, vectors.want);
}

TEST(VecAddGridStrideTest, AddsWithASingleBlock) {
  const Vectors vectors = RandomVectors(5000);
  auto c = lab::Poisoned<float>(5000);
  vec_add_grid_stride(vectors.a, vectors.b, c, 1);
  lab::ExpectAllEqual(c, vectors.want);
}

}  // namespace
