// The hidden tests of the two scans.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_scan/scan.h"
#include "solutions/openmp_scan/hidden_inputs.h"

namespace openmp_scan {
namespace {

using Words = std::vector<std::uint32_t>;

const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};

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

// A part scans words of 32 bits: as signed values or as counts. Fatal, as is the one below, so that
// a loop over many inputs stops at the first that fails.
void ExpectInclusive(std::span<const std::uint32_t> words, const std::string& what) {
  const std::vector<std::int32_t> values(words.begin(), words.end());
  auto sums = lab::Poisoned<std::int64_t>(values.size());
  inclusive_scan(values, sums);
  ASSERT_TRUE(lab::ExpectAllEqual(sums, ExpectedSums(values))) << Case(what, values.size());
}

void ExpectExclusive(std::span<const std::uint32_t> counts, const std::string& what) {
  auto starts = lab::Poisoned<std::uint64_t>(counts.size());
  exclusive_scan(counts, starts);
  ASSERT_TRUE(lab::ExpectAllEqual(starts, ExpectedStarts(counts))) << Case(what, counts.size());
}

// A part, and numbers of the type that it scans.
struct Part {
  void (*expect)(std::span<const std::uint32_t>, const std::string& what);
  std::int64_t small;
  std::array<std::int64_t, 2> large;
};

// Both parts promise the same.
struct ScanTest : testing::TestWithParam<Part> {
  Words AnyValues(std::size_t n) { return random.AnyBits<std::uint32_t>(n); }
  void Expect(std::span<const std::uint32_t> words, const std::string& what) {
    GetParam().expect(words, what);
  }
  lab::Random random;
};

TEST_P(ScanTest, WritesEverySumAtTilePageAndCacheLineEdges) {
  for (const std::size_t n : Sizes()) {
    ASSERT_NO_FATAL_FAILURE(Expect(AnyValues(n), "any values"));
  }
}

TEST_P(ScanTest, WritesEverySumWithEveryTeam) {
  const Words words = AnyValues(1003);
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 1003}) {
      ASSERT_NO_FATAL_FAILURE(Expect(std::span(words.data(), n), team));
    }
  });
}

TEST_P(ScanTest, AddsAValueToAllSumsThatIncludeIt) {
  const std::int64_t value = GetParam().small;
  for (std::size_t place = 0; place < 100; ++place) {
    Words words(100);
    words[place] = static_cast<std::uint32_t>(value);
    const std::string what = "the only " + std::to_string(value) + " at " + std::to_string(place);
    ASSERT_NO_FATAL_FAILURE(Expect(words, what));
  }
}

TEST_P(ScanTest, WritesSumsThatNeed64Bits) {
  for (const std::int64_t value : GetParam().large) {
    Expect(Words(1000, static_cast<std::uint32_t>(value)), "all " + std::to_string(value));
  }
}

TEST_P(ScanTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 100; ++call) {
    const Words words = AnyValues(random.UniformInt<std::size_t>(0, 300));
    ASSERT_NO_FATAL_FAILURE(Expect(words, "call " + std::to_string(call)));
  }
}

TEST_P(ScanTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers(
      [&](const std::string& what) { ASSERT_NO_FATAL_FAILURE(Expect(AnyValues(3000), what)); });
}

TEST_P(ScanTest, IsRightWhereItsRegionsGetOneThread) {
  lab::ForNestedCalls(
      [&](const std::string& what) { ASSERT_NO_FATAL_FAILURE(Expect(AnyValues(3000), what)); });
}

TEST_P(ScanTest, ScansALargeNumberOfValues) { Expect(AnyValues(LargeSize()), "any values"); }

const Part kInclusive{ExpectInclusive, -1, {0x7fffffff, -0x80000000LL}};
const Part kExclusive{ExpectExclusive, 1, {0x80000000, 0xffffffff}};

INSTANTIATE_TEST_SUITE_P(InclusiveScanTest, ScanTest, testing::Values(kInclusive));
INSTANTIATE_TEST_SUITE_P(ExclusiveScanTest, ScanTest, testing::Values(kExclusive));

// Large enough for a call of a millisecond. Where it is measured how parallel the code is a call
// must take longer than a slice of the scheduler's.
std::size_t TimedSize() {
  return lab::Scaled(lab::CurrentTeamSize() == 0 ? 3'500'000 : 14'000'000);
}

TEST(InclusiveScanTiming, ScansThreeAndAHalfMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    auto values = random.AnyBits<std::int32_t>(TimedSize());
    return [want = ExpectedSums(values), values = std::move(values)] {
      auto sums = lab::Poisoned<std::int64_t>(values.size());
      inclusive_scan(values, sums);
      lab::ExpectAllEqual(sums, want);
    };
  });
}

TEST(ExclusiveScanTiming, ScansThreeAndAHalfMillionCounts) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    auto counts = random.AnyBits<std::uint32_t>(TimedSize());
    return [want = ExpectedStarts(counts), counts = std::move(counts)] {
      auto starts = lab::Poisoned<std::uint64_t>(counts.size());
      exclusive_scan(counts, starts);
      lab::ExpectAllEqual(starts, want);
    };
  });
}

}  // namespace
}  // namespace openmp_scan
