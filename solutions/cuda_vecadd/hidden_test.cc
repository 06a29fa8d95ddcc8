// The hidden test of the lab "Vector addition on a GPU".
//
// A float addition is rounded once, so every expected element is exact and nothing is tolerated.
// Each part starts with a thousand elements, so that a common mistake shows there first, in a case
// that is easy to think about.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
using Limits = std::numeric_limits<float>;

constexpr std::size_t kWarp = 32;
constexpr std::size_t kUsualBlock = 256;
constexpr std::size_t kLargestBlock = 1024;  // also the floats of a page
constexpr std::size_t kLargeSize = 1 << 18;

const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};

// One of the three functions, with what it needs besides the vectors already chosen.
using Add = std::function<void(std::span<const float>, std::span<const float>, std::span<float>)>;

Add WithBlocks(int blocks) {
  return [blocks](std::span<const float> a, std::span<const float> b, std::span<float> c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

Floats Sum(const Floats& a, const Floats& b) {
  Floats sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

// Expects got == want, and that zeros have the sign of the expected ones.
void ExpectSame(const Floats& got, const Floats& want) {
  if (!lab::ExpectAllEqual(got, want)) return;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] != 0) continue;
    ASSERT_EQ(std::signbit(got[i]), std::signbit(want[i])) << "sign of the zero in element " << i;
  }
}

void ExpectSum(const Add& add, const Floats& a, const Floats& b) {
  SCOPED_TRACE("with n = " + std::to_string(a.size()));
  Floats c = lab::Poisoned<float>(a.size());
  add(a, b, c);
  ExpectSame(c, Sum(a, b));
}

void ExpectSum(const Add& add, std::size_t n, lab::Random& random) {
  const Floats a = random.Floats(n, -1000, 1000);
  const Floats b = random.Floats(n, -1000, 1000);
  ExpectSum(add, a, b);
}

// Sizes at which warps, blocks and pages begin and end.
std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes;
  for (const std::size_t width : {kWarp, kUsualBlock, kLargestBlock}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  return sizes;
}

void ExpectEdgeSizes(const Add& add, lab::Random& random) {
  for (const std::size_t n : Sizes()) {
    ExpectSum(add, n, random);
    if (testing::Test::HasFailure()) return;
  }
}

// Every pair of: zeros, ones, the smallest and largest numbers, infinities, NaN, and numbers whose
// sum is rounded to even, up or down.
void ExpectSpecialValues(const Add& add) {
  const float specials[] = {0.0f,     1.0f,          Limits::min(),       Limits::denorm_min(),
                            0x1p24f,  0x1.000002p0f, Limits::max(),       Limits::infinity(),
                            0x1p-24f, 0x1.8p-24f,    Limits::quiet_NaN(), 0x1.fffffep-127f};
  Floats a;
  Floats b;
  for (const float x : specials) {
    for (const float y : specials) {
      a.insert(a.end(), {x, x, -x, -x});
      b.insert(b.end(), {y, -y, y, -y});
    }
  }
  ExpectSum(add, a, b);
}

// All bit patterns are equally likely: numbers of every size, some of them special.
Floats AnyFloats(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (float& value : values) {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next() >> 32));
  }
  return values;
}

void ExpectNumbersOfEverySize(const Add& add, lab::Random& random) {
  const Floats a = AnyFloats(random, 5000);
  Floats b = AnyFloats(random, 5000);
  ExpectSum(add, a, b);
  // Of about the size of a: here the additions cancel, round and overflow.
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = a[i] * random.UniformFloat(-2, 2);
  ExpectSum(add, a, b);
}

// Both inputs may be one vector.
void ExpectDouble(const Add& add, lab::Random& random) {
  const Floats a = random.Floats(1000, -1000, 1000);
  ExpectSum(add, a, a);
}

void ExpectIndependentCalls(const Add& add, lab::Random& random) {
  for (int call = 0; call < 40; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectSum(add, random.UniformInt<std::size_t>(0, 3000), random);
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectLargeSum(const Add& add, lab::Random& random) {
  ExpectSum(add, lab::Scaled(kLargeSize) + 3, random);
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

TEST(VecAddTest, AddsALargeInput) {
  lab::Random random;
  ExpectLargeSum(vec_add, random);
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

TEST(VecAddGridStrideTest, AddsALargeInputWithFewAndManyBlocks) {
  lab::Random random;
  WithEachNumberOfBlocks({1, 2, 13, 128, 200},
                         [&](const Add& add, int) { ExpectLargeSum(add, random); });
}

// What the simulator counts: whole warps and a few more, so that the ends of arrays weigh little.
// Always the same sizes: thresholds in lab.toml are on these.
constexpr std::size_t kCountedSize = 64 * 256 + 5;

TEST(VecAddCounted, AddsWholeBlocksAndAFewMore) {
  lab::Random random;
  ExpectSum(vec_add, kCountedSize, random);
}

TEST(VecAddGridStrideCounted, AddsManyRoundsAndAFewMore) {
  lab::Random random;
  ExpectSum(WithBlocks(4), kCountedSize, random);
}

// Small whole numbers, made faster than one by one from the stream. n is a multiple of four.
Floats FastFloats(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (std::size_t i = 0; i < values.size(); i += 4) {
    std::uint64_t bits = random.Next();
    for (std::size_t j = i; j < i + 4; ++j, bits >>= 16) {
      values[j] = static_cast<float>(bits & 0xffff);
    }
  }
  return values;
}

// With n for some milliseconds of work.
void TimeAdd(const Add& add, std::size_t n) {
  lab::RunTimedPairs([&add, n](lab::Random& random) -> std::function<void()> {
    struct Case {
      Floats a, b, c, want;
    };
    const auto data = std::make_shared<Case>();
    data->a = FastFloats(random, n);
    data->b = FastFloats(random, n);
    data->c = lab::Poisoned<float>(n);
    data->want = Sum(data->a, data->b);
    return [data, &add] {
      add(data->a, data->b, data->c);
      lab::ExpectAllEqual(data->c, data->want);
    };
  });
}

TEST(VecAddHostTiming, AddsAMillionElements) { TimeAdd(vec_add_host, 1 << 20); }

TEST(VecAddTiming, AddsTwoMillionElements) { TimeAdd(vec_add, 1 << 21); }

TEST(VecAddGridStrideTiming, AddsAMillionElementsWith256Blocks) {
  TimeAdd(WithBlocks(256), 1 << 20);
}

}  // namespace
