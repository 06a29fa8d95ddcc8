// The hidden test of the lab "Vector addition on a GPU": the parts that add.
//
// Each starts with a thousand elements, so that a common mistake shows there first, in a case that
// is easy to think about.

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>

#include "common/lab/function.h"
#include "common/lab/with_failing_calls.h"
#include "labs/cuda_vecadd/vecadd.h"
#include "solutions/cuda_vecadd/hidden_sum.h"

namespace cuda_vecadd {
namespace {

const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};

Add WithBlocks(int blocks) {
  return [blocks](std::span<const float> a, std::span<const float> b, std::span<float> c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

TEST(VecAddHostTest, AddsAThousandElements) {
  lab::Random random;
  ExpectSum(vec_add_host, 1000, random);
}

TEST(VecAddHostTest, AddsEveryElementAtWarpBlockAndPageEdges) {
  lab::Random random;
  ExpectEdgeSizes(vec_add_host, random);
}

TEST(VecAddHostTest, FollowsIeee754ForSpecialValues) { ExpectSpecialValues(vec_add_host); }

TEST(VecAddHostTest, IsExactForNumbersOfEverySize) {
  lab::Random random;
  ExpectNumbersOfEverySize(vec_add_host, random);
}

TEST(VecAddHostTest, AddsAVectorToItself) {
  lab::Random random;
  ExpectDouble(vec_add_host, random);
}

TEST(VecAddHostTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(vec_add_host, random);
}

TEST(VecAddHostTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  ExpectServed(vec_add_host, random);
}

TEST(VecAddHostTest, AddsALargeInput) {
  lab::Random random;
  ExpectLargeSum(vec_add_host, random);
}

TEST(VecAddHostTest, FreesItsDeviceMemoryAfterEveryCall) {
  // Each call needs 48 MB on the device: what is left behind soon fills the memory limit.
  lab::Random random;
  const std::size_t n = lab::Scaled(1 << 22);
  const Floats a(n, random.UniformFloat(1, 2));
  const Floats b(n, random.UniformFloat(1, 2));
  const Floats want = Sum(a, b);
  for (int call = 0; call < 14 && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call) + " with n = " + std::to_string(n));
    Floats c = lab::Poisoned<float>(n);
    vec_add_host(a, b, c);
    lab::ExpectAllEqual(c, want);
  }
}

TEST(VecAddHostTest, ThrowsAndFreesItsMemoryWhenARuntimeCallFails) {
  lab::Random random;
  ExpectSum(lab::WithFailingCalls(vec_add_host), 100, random);
}

TEST(VecAddTest, AddsAThousandElements) {
  lab::Random random;
  ExpectSum(vec_add, 1000, random);
}

TEST(VecAddTest, AddsEveryElementAtWarpBlockAndPageEdges) {
  lab::Random random;
  ExpectEdgeSizes(vec_add, random);
}

TEST(VecAddTest, FollowsIeee754ForSpecialValues) { ExpectSpecialValues(vec_add); }

TEST(VecAddTest, IsExactForNumbersOfEverySize) {
  lab::Random random;
  ExpectNumbersOfEverySize(vec_add, random);
}

TEST(VecAddTest, AddsAVectorToItself) {
  lab::Random random;
  ExpectDouble(vec_add, random);
}

TEST(VecAddTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(vec_add, random);
}

TEST(VecAddTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  ExpectServed(vec_add, random);
}

TEST(VecAddTest, AddsALargeInput) {
  lab::Random random;
  ExpectLargeSum(vec_add, random);
}

TEST(VecAddTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  ExpectSum(lab::WithFailingCalls(vec_add), 100, random);
}

// The same test with each of these numbers of blocks.
void WithEachNumberOfBlocks(std::initializer_list<int> numbers,
                            const std::function<void(const Add&, int blocks)>& test) {
  for (const int blocks : numbers) {
    SCOPED_TRACE("with blocks = " + std::to_string(blocks));
    test(WithBlocks(blocks), blocks);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(VecAddGridStrideTest, AddsAThousandElements) {
  lab::Random random;
  WithEachNumberOfBlocks({1, 2}, [&](const Add& add, int) { ExpectSum(add, 1000, random); });
}

TEST(VecAddGridStrideTest, AddsFiveThousandElementsWhichOneRoundDoesNotCover) {
  lab::Random random;
  WithEachNumberOfBlocks({1, 2, 3}, [&](const Add& add, int) { ExpectSum(add, 5000, random); });
}

TEST(VecAddGridStrideTest, AddsEveryElementAtWarpBlockAndPageEdges) {
  lab::Random random;
  WithEachNumberOfBlocks({1, 5}, [&](const Add& add, int) { ExpectEdgeSizes(add, random); });
}

TEST(VecAddGridStrideTest, AddsEveryElementWhereTheGridEnds) {
  lab::Random random;
  WithEachNumberOfBlocks({1, 3, 7}, [&](const Add& add, int blocks) {
    for (const std::size_t block : {kUsualBlock, kLargestBlock}) {
      const std::size_t threads = blocks * block;
      for (const std::size_t n : {threads - 1, threads, threads + 1, 2 * threads + 1}) {
        ExpectSum(add, n, random);
      }
    }
  });
}

TEST(VecAddGridStrideTest, WorksWithMoreBlocksThanElements) {
  lab::Random random;
  WithEachNumberOfBlocks({10, 500}, [&](const Add& add, int) {
    for (const std::size_t n : {1, 9, 300}) ExpectSum(add, n, random);
  });
}

TEST(VecAddGridStrideTest, FollowsIeee754ForSpecialValues) { ExpectSpecialValues(WithBlocks(2)); }

TEST(VecAddGridStrideTest, IsExactForNumbersOfEverySize) {
  lab::Random random;
  ExpectNumbersOfEverySize(WithBlocks(3), random);
}

TEST(VecAddGridStrideTest, AddsAVectorToItself) {
  lab::Random random;
  ExpectDouble(WithBlocks(3), random);
}

TEST(VecAddGridStrideTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(WithBlocks(random.UniformInt(1, 20)), random);
}

TEST(VecAddGridStrideTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  ExpectServed(WithBlocks(3), random);
}

TEST(VecAddGridStrideTest, AddsALargeInputWithFewAndManyBlocks) {
  lab::Random random;
  WithEachNumberOfBlocks({1, 2, 13, 128, 200},
                         [&](const Add& add, int) { ExpectLargeSum(add, random); });
}

TEST(VecAddGridStrideTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  ExpectSum(lab::WithFailingCalls(WithBlocks(2)), 100, random);
}

}  // namespace
}  // namespace cuda_vecadd
