// The public test: a few friendly cases for each part. The grader asks more; vecadd.h says what.

#include "labs/cuda_vecadd/vecadd.h"

#include <gtest/gtest.h>

#include <cstddef>
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

// first, first + 1, …: n numbers.
Floats CountFrom(int first, std::size_t n) {
  Floats values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<float>(first + int(i)));
  return values;
}

Floats Sum(const Floats& a, const Floats& b) {
  Floats sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

// Calls add(a, b, c) with n numbers and looks at every element of c.
template <typename Add>
void ExpectSum(std::size_t n, const Add& add) {
  lab::Random random;
  const Floats a = random.Floats(n, -1000, 1000);
  const Floats b = random.Floats(n, -1000, 1000);
  Floats c = lab::Poisoned<float>(n);
  add(a, b, c);
  EXPECT_TRUE(lab::ExpectAllEqual(c, Sum(a, b))) << "with n = " << n;
}

TEST(VecAddHostTest, AddsFourElements) {
  const Floats a = {1, 2, 3, 4};
  const Floats b = {10, 20, 30, 40};
  Floats c = lab::Poisoned<float>(4);
  vec_add_host(a, b, c);
  EXPECT_EQ(c, (Floats{11, 22, 33, 44}));
}

TEST(VecAddHostTest, AddsAThousandElements) { ExpectSum(1000, vec_add_host); }

TEST(VecAddHostTest, AddsAMillionElements) { ExpectSum(1'000'003, vec_add_host); }

TEST(VecAddHostTest, DoesNothingForEmptyVectors) { ExpectSum(0, vec_add_host); }

TEST(VecAddTest, AddsFourElements) {
  Floats c = lab::Poisoned<float>(4);
  vec_add(CountFrom(1, 4), CountFrom(100, 4), c);
  EXPECT_EQ(c, (Floats{101, 103, 105, 107}));
}

TEST(VecAddTest, AddsElementsThatFillWholeBlocks) { ExpectSum(1024, vec_add); }

TEST(VecAddTest, AddsOneElementMoreThanWholeBlocks) { ExpectSum(1025, vec_add); }

TEST(VecAddTest, AddsAMillionElements) { ExpectSum(1'000'003, vec_add); }

TEST(VecAddTest, DoesNothingForEmptyVectors) { ExpectSum(0, vec_add); }

auto WithBlocks(int blocks) {
  return [blocks](const Floats& a, const Floats& b, Floats& c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

TEST(VecAddGridStrideTest, AddsFourElementsWithOneBlock) { ExpectSum(4, WithBlocks(1)); }

TEST(VecAddGridStrideTest, AddsManyElementsWithOneBlock) { ExpectSum(100'003, WithBlocks(1)); }

TEST(VecAddGridStrideTest, AddsManyElementsWithThreeBlocks) { ExpectSum(100'003, WithBlocks(3)); }

TEST(VecAddGridStrideTest, WorksWithMoreBlocksThanElements) { ExpectSum(5, WithBlocks(32)); }

TEST(VecAddGridStrideTest, DoesNothingForEmptyVectors) { ExpectSum(0, WithBlocks(4)); }

}  // namespace
