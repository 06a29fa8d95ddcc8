// The hidden test of the lab "Scan with OpenMP".

#include <gtest/gtest.h>

#include <cmath>
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
#include "common/lab/team_size.h"
#include "common/lab/timed_pairs.h"
#include "labs/openmp_scan/scan.h"

namespace {

using Values = std::vector<std::int32_t>;
using Counts = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr int kMaxThreads = 8;

const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};
const lab::Function<decltype(Pack)> pack{"Pack"};

// Sizes at which tiles of one to eight threads, cache lines and pages begin and end. Inputs and
// outputs have elements of 4 or 8 bytes.
std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes{511, 512, 513, 1023, 1024, 1025, 10'007};
  for (int n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.insert(n);
  for (const std::size_t n : lab::EdgeSizes(64 / sizeof(float))) sizes.insert(n);
  return sizes;
}

// A size of several pages for each thread, and too large for a stack.
std::size_t LargeSize() { return lab::Scaled(1 << 21) + 3; }

// Calls `check` for each size of a team that a laptop may have.
void ForEachTeam(const std::function<void(const std::string&)>& check) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    ASSERT_NO_FATAL_FAILURE(check("a team of " + std::to_string(threads)));
  }
}

std::string Case(const std::string& what, std::size_t n) {
  return what + ", with n = " + std::to_string(n);
}

// Any 32 bits.
Values AnyValues(lab::Random& random, std::size_t n) {
  return random.Vector<std::int32_t>(n, std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max());
}

Counts AnyCounts(lab::Random& random, std::size_t n) {
  return random.Vector<std::uint32_t>(n, 0, std::numeric_limits<std::uint32_t>::max());
}

std::vector<std::int64_t> ExpectedSums(std::span<const std::int32_t> values) {
  std::vector<std::int64_t> sums;
  std::int64_t sum = 0;
  for (const std::int32_t value : values) sums.push_back(sum += value);
  return sums;
}

std::vector<std::uint64_t> ExpectedStarts(std::span<const std::uint32_t> counts) {
  std::vector<std::uint64_t> starts;
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) {
    starts.push_back(sum);
    sum += count;
  }
  return starts;
}

// Fatal, as are the two below, so that a loop over many inputs stops at the first that fails.
void ExpectInclusive(std::span<const std::int32_t> values, const std::string& what) {
  auto sums = lab::Poisoned<std::int64_t>(values.size());
  inclusive_scan(values, sums);
  ASSERT_TRUE(lab::ExpectAllEqual(sums, ExpectedSums(values))) << Case(what, values.size());
}

void ExpectExclusive(std::span<const std::uint32_t> counts, const std::string& what) {
  auto starts = lab::Poisoned<std::uint64_t>(counts.size());
  exclusive_scan(counts, starts);
  ASSERT_TRUE(lab::ExpectAllEqual(starts, ExpectedStarts(counts))) << Case(what, counts.size());
}

// The room holds numbers that no test keeps; all of it is compared.
void ExpectPacked(std::span<const float> values, float limit, const std::string& what) {
  Floats room(values.size());
  for (std::size_t i = 0; i < room.size(); ++i) room[i] = -1e6f - static_cast<float>(i);
  Floats want = room;
  std::size_t count = 0;
  for (const float value : values) {
    if (value > limit) want[count++] = value;
  }
  ASSERT_EQ(pack(values, limit, room), count) << Case(what, values.size());
  ASSERT_TRUE(lab::ExpectAllEqual(room, want)) << Case(what, values.size());
}

TEST(InclusiveScanTest, WritesEverySumAtTilePageAndCacheLineEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ASSERT_NO_FATAL_FAILURE(ExpectInclusive(AnyValues(random, n), "any values"));
  }
}

TEST(InclusiveScanTest, WritesEverySumWithEveryTeam) {
  lab::Random random;
  const Values values = AnyValues(random, 1003);
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 1003}) {
      ASSERT_NO_FATAL_FAILURE(ExpectInclusive(std::span(values.data(), n), team));
    }
  });
}

TEST(InclusiveScanTest, AddsAValueToAllSumsFromItsPlaceOn) {
  for (std::size_t place = 0; place < 100; ++place) {
    Values values(100);
    values[place] = -1;
    ASSERT_NO_FATAL_FAILURE(ExpectInclusive(values, "the only -1 at " + std::to_string(place)));
  }
}

TEST(InclusiveScanTest, WritesSumsThatNeed64Bits) {
  for (const std::int32_t value : {std::numeric_limits<std::int32_t>::max(), -0x7fffffff - 1}) {
    ExpectInclusive(Values(1000, value), "all " + std::to_string(value));
  }
}

TEST(InclusiveScanTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Values values = AnyValues(random, random.UniformInt<std::size_t>(0, 300));
    ASSERT_NO_FATAL_FAILURE(ExpectInclusive(values, "call " + std::to_string(call)));
  }
}

TEST(InclusiveScanTest, ScansALargeNumberOfValues) {
  lab::Random random;
  ExpectInclusive(AnyValues(random, LargeSize()), "any values");
}

TEST(ExclusiveScanTest, WritesEverySumAtTilePageAndCacheLineEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ASSERT_NO_FATAL_FAILURE(ExpectExclusive(AnyCounts(random, n), "any counts"));
  }
}

TEST(ExclusiveScanTest, WritesEverySumWithEveryTeam) {
  lab::Random random;
  const Counts counts = AnyCounts(random, 1003);
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 1003}) {
      ASSERT_NO_FATAL_FAILURE(ExpectExclusive(std::span(counts.data(), n), team));
    }
  });
}

TEST(ExclusiveScanTest, AddsACountToAllStartsBehindItsPlace) {
  for (std::size_t place = 0; place < 100; ++place) {
    Counts counts(100);
    counts[place] = 1;
    ASSERT_NO_FATAL_FAILURE(ExpectExclusive(counts, "the only 1 at " + std::to_string(place)));
  }
}

TEST(ExclusiveScanTest, WritesStartsThatNeed64Bits) {
  ExpectExclusive(Counts(1000, 0x80000000), "all 2^31");
  ExpectExclusive(Counts(1000, 0xffffffff), "all 2^32 - 1");
}

TEST(ExclusiveScanTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Counts counts = AnyCounts(random, random.UniformInt<std::size_t>(0, 300));
    ASSERT_NO_FATAL_FAILURE(ExpectExclusive(counts, "call " + std::to_string(call)));
  }
}

TEST(ExclusiveScanTest, ScansALargeNumberOfCounts) {
  lab::Random random;
  ExpectExclusive(AnyCounts(random, LargeSize()), "any counts");
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

TEST(PackTest, PacksALargeNumberOfValues) {
  lab::Random random;
  const Floats values = random.Floats(LargeSize(), -1, 1);
  ExpectPacked(values, 0, "half of them are kept");
  ExpectPacked(values, -2, "all are kept");
}

// A multiple of 2, large enough for a call of a millisecond.
std::size_t TimedSize() { return lab::Scaled(3'500'000); }

// Fills `words` with any 32 bits, two from each number of the stream.
template <typename Word>
std::shared_ptr<std::vector<Word>> AnyWords(lab::Random& random, std::size_t n) {
  static_assert(sizeof(Word) == 4);
  auto words = std::make_shared<std::vector<Word>>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random.Next();
    (*words)[i] = static_cast<Word>(bits);
    if (++i < n) (*words)[i] = static_cast<Word>(bits >> 32);
  }
  return words;
}

TEST(InclusiveScanTiming, ScansThreeAndAHalfMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto values = AnyWords<std::int32_t>(random, TimedSize());
    return [values, want = ExpectedSums(*values)] {
      auto sums = lab::Poisoned<std::int64_t>(values->size());
      inclusive_scan(*values, sums);
      lab::ExpectAllEqual(sums, want);
    };
  });
}

TEST(ExclusiveScanTiming, ScansThreeAndAHalfMillionCounts) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto counts = AnyWords<std::uint32_t>(random, TimedSize());
    return [counts, want = ExpectedStarts(*counts)] {
      auto starts = lab::Poisoned<std::uint64_t>(counts->size());
      exclusive_scan(*counts, starts);
      lab::ExpectAllEqual(starts, want);
    };
  });
}

TEST(PackTiming, PacksOneInSixteenOfEightMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto words = AnyWords<std::uint32_t>(random, lab::Scaled(1 << 23));
    const auto values = std::make_shared<Floats>(words->size());
    for (std::size_t i = 0; i < words->size(); ++i) {
      (*values)[i] = std::ldexp(static_cast<float>((*words)[i]), -32);
    }
    return [values] { ExpectPacked(*values, 1 - 0x1p-4f, "one in sixteen is kept"); };
  });
}

}  // namespace
