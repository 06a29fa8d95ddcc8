// The hidden tests of the two scans.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/lab/callers.h"
#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"
#include "common/lab/renewed_input.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
#include "labs/openmp_scan/scan.h"
#include "solutions/openmp_scan/hidden_inputs.h"

namespace openmp_scan {
namespace {

using Values = std::vector<std::int32_t>;
using Counts = std::vector<std::uint32_t>;

const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};

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
  sums.reserve(values.size());
  std::int64_t sum = 0;
  for (const std::int32_t value : values) sums.push_back(sum += value);
  return sums;
}

std::vector<std::uint64_t> ExpectedStarts(std::span<const std::uint32_t> counts) {
  std::vector<std::uint64_t> starts;
  starts.reserve(counts.size());
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) {
    starts.push_back(sum);
    sum += count;
  }
  return starts;
}

// Fatal, as is the one below, so that a loop over many inputs stops at the first that fails.
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

TEST(InclusiveScanTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectInclusive(AnyValues(random, 3000), what));
  });
}

TEST(InclusiveScanTest, IsRightWhereItsRegionsGetOneThread) {
  lab::Random random;
  lab::ForNestedCalls([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectInclusive(AnyValues(random, 3000), what));
  });
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

TEST(ExclusiveScanTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectExclusive(AnyCounts(random, 3000), what));
  });
}

TEST(ExclusiveScanTest, IsRightWhereItsRegionsGetOneThread) {
  lab::Random random;
  lab::ForNestedCalls([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectExclusive(AnyCounts(random, 3000), what));
  });
}

TEST(ExclusiveScanTest, ScansALargeNumberOfCounts) {
  lab::Random random;
  ExpectExclusive(AnyCounts(random, LargeSize()), "any counts");
}

// Large enough for a call of a millisecond. Where it is measured how parallel the code is a call
// must take longer than a slice of the scheduler's.
std::size_t TimedSize() {
  return lab::Scaled(lab::CurrentTeamSize() == 0 ? 3'500'000 : 14'000'000);
}

TEST(InclusiveScanTiming, ScansThreeAndAHalfMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    static lab::RenewedInput<std::int32_t> input;
    const auto& values = input.Draw(random, TimedSize(), AnyWords<std::int32_t>);
    return [&values] {
      auto sums = lab::Poisoned<std::int64_t>(values.size());
      inclusive_scan(values, sums);
      lab::ExpectAllEqual(sums, ExpectedSums(values));
    };
  });
}

TEST(ExclusiveScanTiming, ScansThreeAndAHalfMillionCounts) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    static lab::RenewedInput<std::uint32_t> input;
    const auto& counts = input.Draw(random, TimedSize(), AnyWords<std::uint32_t>);
    return [&counts] {
      auto starts = lab::Poisoned<std::uint64_t>(counts.size());
      exclusive_scan(counts, starts);
      lab::ExpectAllEqual(starts, ExpectedStarts(counts));
    };
  });
}

}  // namespace
}  // namespace openmp_scan
