// The hidden test of Pack.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_scan/scan.h"
#include "solutions/openmp_scan/hidden_inputs.h"

namespace openmp_scan {
namespace {

using Floats = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

const lab::Function<decltype(Pack)> pack{"Pack"};

// The room before the call, with numbers that no test keeps, and after it; how many are kept.
struct Packing {
  Floats before;
  Floats after;
  std::size_t count = 0;
};

Packing Packed(std::span<const float> values, float limit) {
  Packing packing{Floats(values.size()), {}};
  for (std::size_t i = 0; i < values.size(); ++i) packing.before[i] = -1e6f - static_cast<float>(i);
  packing.after = packing.before;
  for (const float value : values) {
    if (value > limit) packing.after[packing.count++] = value;
  }
  return packing;
}

// Fatal, so that a loop over many inputs stops at the first that fails. All of the room is
// compared.
void ExpectPacked(std::span<const float> values, float limit, const Packing& want,
                  const std::string& what) {
  Floats room = want.before;
  ASSERT_EQ(pack(values, limit, room), want.count) << Case(what, values.size());
  ASSERT_TRUE(lab::ExpectAllEqual(room, want.after)) << Case(what, values.size());
}

void ExpectPacked(std::span<const float> values, float limit, const std::string& what) {
  ExpectPacked(values, limit, Packed(values, limit), what);
}

TEST(PackTest, KeepsTheOrderAtTilePageAndCacheLineEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    const Floats values = random.Floats(n, -1, 1);
    for (const float limit : {-2.0f, -0.9f, 0.0f, 0.9f, 2.0f}) {
      ASSERT_NO_FATAL_FAILURE(ExpectPacked(values, limit, "limit " + std::to_string(limit)));
    }
  }
}

TEST(PackTest, KeepsTheOrderWithEveryTeam) {
  lab::Random random;
  const Floats values = random.Floats(1003, -1, 1);
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 1003}) {
      const std::span some(values.data(), n);
      ASSERT_NO_FATAL_FAILURE(ExpectPacked(some, 0, team));
      ASSERT_NO_FATAL_FAILURE(ExpectPacked(some, -2, team + ", all are kept"));
    }
  });
}

TEST(PackTest, KeepsTheOnlyValueAboveTheLimitWhereverItStands) {
  for (std::size_t place = 0; place < 100; ++place) {
    Floats values(100, -5.0f);
    values[place] = -3;
    ASSERT_NO_FATAL_FAILURE(ExpectPacked(values, -4, "the only one at " + std::to_string(place)));
  }
}

TEST(PackTest, KeepsRunsThatLieAcrossTiles) {
  lab::Random random;
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = random.UniformInt<std::size_t>(1, 400);
    Floats values = random.Floats(n, -2, -1);
    const std::size_t begin = random.UniformInt<std::size_t>(0, n - 1);
    const std::size_t end = random.UniformInt<std::size_t>(begin, n);
    for (std::size_t i = begin; i < end; ++i) values[i] = random.UniformFloat(1, 2);
    ASSERT_NO_FATAL_FAILURE(ExpectPacked(values, 0, "one run is kept"));
    ASSERT_NO_FATAL_FAILURE(ExpectPacked(values, -1.5, "a run and half of the rest are kept"));
  }
}

TEST(PackTest, ComparesSpecialValuesAsIeee754Says) {
  const Floats values{
      0.0f,      -0.0f,       1e-45f,      -1e-45f, kInfinity,
      1,         kNotANumber, -kInfinity,  -1,      std::numeric_limits<float>::max(),
      kInfinity, 1,           -kNotANumber};
  for (const float limit : values) {
    ExpectPacked(values, limit, "special values, limit " + std::to_string(limit));
  }
}

TEST(PackTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Floats values = random.Floats(random.UniformInt(0, 300), -1, 1);
    const float limit = random.UniformFloat(-1, 1);
    ASSERT_NO_FATAL_FAILURE(ExpectPacked(values, limit, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(PackTest, [](lab::Random& random, const std::string& what) {
  ExpectPacked(random.Floats(3000, -1, 1), 0.1f, what);
})

TEST(PackTest, PacksALargeNumberOfValues) {
  lab::Random random;
  const Floats values = random.Floats(LargeSize(), -1, 1);
  ExpectPacked(values, 0, "half of them are kept");
  ExpectPacked(values, -2, "all are kept");
}

// Uniform in [0, 1), faster than one by one.
Floats TimedValues(lab::Random& random, std::size_t n) {
  Floats values(n);
  std::ranges::transform(random.AnyBits<std::uint32_t>(n), values.begin(), [](std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24f;
  });
  return values;
}

TEST(PackTiming, PacksOneInSixteenOfEightMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    // Twice as many where it is measured how parallel the code is: a short call may be over before
    // every thread has found its core.
    const std::size_t size = lab::Scaled(lab::CurrentTeamSize() == 0 ? 1 << 23 : 1 << 24);
    constexpr float kLimit = 1 - 0x1p-4f;
    Floats values = TimedValues(random, size);
    return [want = Packed(values, kLimit), values = std::move(values)] {
      ExpectPacked(values, kLimit, want, "one in sixteen is kept");
    };
  });
}

}  // namespace
}  // namespace openmp_scan
