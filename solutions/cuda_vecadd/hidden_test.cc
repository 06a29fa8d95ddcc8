// The hidden test of the lab "Vector addition with CUDA".
//
// One addition of floats is correctly rounded wherever it is done, so every sum is compared
// exactly.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

using Floats = std::vector<float>;

constexpr std::size_t kLargeSize = 1 << 20;

const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};

// A function to test, with what it needs besides the vectors already chosen.
using Add = std::function<void(std::span<const float>, std::span<const float>, std::span<float>)>;

Add GridStride(int blocks) {
  return [blocks](std::span<const float> a, std::span<const float> b, std::span<float> c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

Floats Sums(std::span<const float> a, std::span<const float> b) {
  Floats sums(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sums[i] = a[i] + b[i];
  return sums;
}

// Fatal, so that a loop over many cases stops at the first that fails.
void ExpectSums(const Add& add, std::span<const float> a, std::span<const float> b,
                const std::string& what) {
  auto c = lab::Poisoned<float>(a.size());
  add(a, b, c);
  ASSERT_TRUE(lab::ExpectAllEqual(c, Sums(a, b))) << what << ", n = " << a.size();
}

void ExpectRandomSums(const Add& add, lab::Random& random, std::size_t n, const std::string& what) {
  ExpectSums(add, random.Floats(n, -1000, 1000), random.Floats(n, -1000, 1000), what);
}

// Sizes at which warps, usual blocks and pages begin and end, and some in between.
std::set<std::size_t> Sizes(lab::Random& random) {
  std::set<std::size_t> sizes{4095, 4096, 4097};
  for (const std::size_t width : {32, 128, 256, 512, 1024}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  for (int i = 0; i < 5; ++i) sizes.insert(random.UniformInt<std::size_t>(1, 10'000));
  return sizes;
}

void ExpectSumsAtEdges(const Add& add, lab::Random& random) {
  for (const std::size_t n : Sizes(random)) {
    ASSERT_NO_FATAL_FAILURE(ExpectRandomSums(add, random, n, "random values"));
  }
}

// Every pair of these, so that rounding, overflow, underflow and signs of zero all occur.
void ExpectExtremeSums(const Add& add) {
  using Limits = std::numeric_limits<float>;
  const Floats values{0.0f,
                      -0.0f,
                      1.0f,
                      -1.0f,
                      0x1p24f,
                      0x1p-24f,
                      Limits::max(),
                      Limits::lowest(),
                      Limits::min(),
                      -Limits::min(),
                      Limits::denorm_min(),
                      -Limits::denorm_min(),
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN()};
  Floats a;
  Floats b;
  for (const float x : values) {
    for (const float y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  ExpectSums(add, a, b, "every pair of extreme values");
}

// Shorter than the call before, so what that left in device memory would be seen.
void ExpectIndependentCalls(const Add& add, lab::Random& random) {
  for (std::size_t n = 400; n > 300; --n) {
    ASSERT_NO_FATAL_FAILURE(ExpectRandomSums(add, random, n, "one call of many"));
  }
}

// The inputs may be one vector.
void ExpectDouble(const Add& add, lab::Random& random) {
  const Floats a = random.Floats(1000, -1, 1);
  ExpectSums(add, a, a, "a vector added to itself");
}

TEST(VecAddHostTest, AddsAtWarpBlockAndPageEdges) {
  lab::Random random;
  ExpectSumsAtEdges(vec_add_host, random);
}

TEST(VecAddHostTest, RoundsOverflowsAndKeepsNotANumberAsIeee754Says) {
  ExpectExtremeSums(vec_add_host);
}

TEST(VecAddHostTest, AddsAVectorToItself) {
  lab::Random random;
  ExpectDouble(vec_add_host, random);
}

TEST(VecAddHostTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(vec_add_host, random);
}

TEST(VecAddHostTest, AddsManyNumbers) {
  lab::Random random;
  ExpectRandomSums(vec_add_host, random, lab::Scaled(kLargeSize) + 7, "many values");
}

TEST(VecAddHostTest, FreesTheDeviceMemoryOfEveryCall) {
  // 12 MB of device memory a call: together more than the program may have.
  lab::Random random;
  const std::size_t n = lab::Scaled(kLargeSize);
  const Floats a = random.Floats(n, -1, 1);
  const Floats b = random.Floats(n, -1, 1);
  for (int call = 1; call <= 30; ++call) {
    ASSERT_NO_FATAL_FAILURE(ExpectSums(vec_add_host, a, b, "call " + std::to_string(call)));
  }
}

TEST(VecAddTest, AddsAtWarpBlockAndPageEdges) {
  lab::Random random;
  ExpectSumsAtEdges(vec_add, random);
}

TEST(VecAddTest, RoundsOverflowsAndKeepsNotANumberAsIeee754Says) { ExpectExtremeSums(vec_add); }

TEST(VecAddTest, AddsAVectorToItself) {
  lab::Random random;
  ExpectDouble(vec_add, random);
}

TEST(VecAddTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(vec_add, random);
}

TEST(VecAddTest, AddsManyNumbers) {
  lab::Random random;
  ExpectRandomSums(vec_add, random, lab::Scaled(kLargeSize) + 7, "many values");
}

TEST(VecAddGridStrideTest, AddsAtWarpBlockAndPageEdgesWithEveryGrid) {
  lab::Random random;
  for (const int blocks : {1, 2, 3, 8}) {
    for (const std::size_t n : Sizes(random)) {
      ASSERT_NO_FATAL_FAILURE(
          ExpectRandomSums(GridStride(blocks), random, n, std::to_string(blocks) + " blocks"));
    }
  }
}

TEST(VecAddGridStrideTest, AddsFewNumbersWithManyBlocks) {
  lab::Random random;
  for (const std::size_t n : {0, 1, 2, 100, 1000}) {
    for (const int blocks : {31, 100, 1000}) {
      ASSERT_NO_FATAL_FAILURE(
          ExpectRandomSums(GridStride(blocks), random, n, std::to_string(blocks) + " blocks"));
    }
  }
}

TEST(VecAddGridStrideTest, RoundsOverflowsAndKeepsNotANumberAsIeee754Says) {
  ExpectExtremeSums(GridStride(2));
}

TEST(VecAddGridStrideTest, AddsAVectorToItself) {
  lab::Random random;
  ExpectDouble(GridStride(3), random);
}

TEST(VecAddGridStrideTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(GridStride(2), random);
}

TEST(VecAddGridStrideTest, AddsManyNumbersWithFewBlocks) {
  lab::Random random;
  for (const int blocks : {1, 7, 64}) {
    ExpectRandomSums(GridStride(blocks), random, lab::Scaled(kLargeSize) + 7,
                     std::to_string(blocks) + " blocks");
  }
}

// Two million sums. Whole numbers, several from each draw, so that a case is made quickly.
void RunTimed(const Add& add) {
  lab::RunTimedPairs([add](lab::Random& random) -> std::function<void()> {
    struct Case {
      Floats a = Floats(1 << 21);
      Floats b = Floats(1 << 21);
      Floats want;
    };
    const auto data = std::make_shared<Case>();
    for (std::size_t i = 0; i < data->a.size(); ++i) {
      const std::uint64_t bits = random.Next();
      data->a[i] = static_cast<float>(bits & 0xfffff);
      data->b[i] = static_cast<float>(bits >> 44);
    }
    data->want = Sums(data->a, data->b);
    return [add, data] {
      auto c = lab::Poisoned<float>(data->a.size());
      add(data->a, data->b, c);
      lab::ExpectAllEqual(c, data->want);
    };
  });
}

TEST(VecAddHostTiming, AddsTwoMillionNumbers) { RunTimed(vec_add_host); }

TEST(VecAddTiming, AddsTwoMillionNumbers) { RunTimed(vec_add); }

TEST(VecAddGridStrideTiming, AddsTwoMillionNumbersWithSixtyFourBlocks) { RunTimed(GridStride(64)); }

}  // namespace
