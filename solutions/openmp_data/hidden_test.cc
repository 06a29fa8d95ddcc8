// The hidden tests of the filter, the walks, and of sound and picture.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/openmp_data/hidden_checks.h"

namespace openmp_data {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Medians RandomMedians(lab::Random& random, std::size_t n) {
  return Medians(random.Floats(n + kWindow - 1, -1, 1));
}

TEST(MedianFilterTest, FiltersAtTheEdgesOfShares) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    if (n == 0) continue;
    ASSERT_NO_FATAL_FAILURE(RandomMedians(random, n).Check("random values"));
  }
}

TEST(MedianFilterTest, FiltersWithEveryTeam) {
  lab::Random random;
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {1, 2, 7, 8, 9, 1003}) RandomMedians(random, n).Check(team);
  });
}

TEST(MedianFilterTest, FiltersEqualSortedAndInfiniteValues) {
  for (const float value : {0.0f, -3.0f, kInfinity, -kInfinity}) {
    Medians(std::vector<float>(100, value)).Check("all equal");
  }
  std::vector<float> values(500);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 250;
  Medians(values).Check("ascending");
  Medians({values.rbegin(), values.rend()}).Check("descending");
  for (std::size_t i = 0; i < values.size(); i += 2)
    values[i] = i % 4 == 0 ? kInfinity : -kInfinity;
  Medians(values).Check("every other one infinite");
}

TEST(MedianFilterTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 50; ++call) {
    ASSERT_NO_FATAL_FAILURE(RandomMedians(random, random.UniformInt(1, 300)).Check("one of many"));
  }
}

LAB_TEST_OPENMP_CALLERS(MedianFilterTest, [](lab::Random& random, const std::string& what) {
  RandomMedians(random, 500).Check(what);
})

TEST(MedianFilterTiming, FiltersHalfAMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [want = RandomMedians(random, Timed(1 << 18, 4))] { want.Check("timed"); };
  });
}

Tallies RandomTallies(lab::Random& random, std::size_t n, std::uint32_t steps) {
  std::vector<WalkOrder> walks(n);
  for (WalkOrder& walk : walks) walk = {random.Next(), random.UniformInt<std::uint32_t>(0, steps)};
  return {walks, random.AnyBits<std::uint64_t>(kBins)};
}

TEST(TallyWalksTest, TalliesAtTheEdgesOfShares) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ASSERT_NO_FATAL_FAILURE(RandomTallies(random, n, 20).Check("random walks"));
  }
}

TEST(TallyWalksTest, TalliesWithEveryTeam) {
  lab::Random random;
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {1, 8, 100}) RandomTallies(random, n, 50).Check(team);
  });
}

// A thread that took no part in one call takes part in the next.
TEST(TallyWalksTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 50; ++call) {
    const lab::TeamSize team(random.UniformInt(1, kMaxThreads));
    const std::size_t n = random.UniformInt<std::size_t>(0, 60);
    ASSERT_NO_FATAL_FAILURE(RandomTallies(random, n, 30).Check("one of many"));
  }
}

TEST(TallyWalksTest, TalliesWalksOfVeryDifferentLengths) {
  lab::Random random;
  std::vector<WalkOrder> walks(40, {1, 0});
  walks[3].steps = 50'000;
  walks[4].steps = 1;
  Tallies(walks, random.AnyBits<std::uint64_t>(kBins)).Check("one long walk");
}

LAB_TEST_OPENMP_CALLERS(TallyWalksTest, [](lab::Random& random, const std::string& what) {
  RandomTallies(random, 100, 50).Check(what);
})

TEST(TallyWalksTiming, TalliesWalks) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [want = RandomTallies(random, Timed(400, 4), 8'000)] { want.Check("timed"); };
  });
}

Unpacked RandomUnpacked(lab::Random& random, std::size_t n, std::size_t m) {
  return {random.AnyBits<std::uint64_t>(n), random.AnyBits<std::uint64_t>(m)};
}

TEST(UnpackBothTest, UnpacksAtTheEdgesOfShares) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    const std::size_t m = random.UniformInt<std::size_t>(0, 40);
    ASSERT_NO_FATAL_FAILURE(RandomUnpacked(random, n, m).Check("random numbers"));
    ASSERT_NO_FATAL_FAILURE(RandomUnpacked(random, m, n).Check("random numbers"));
  }
}

TEST(UnpackBothTest, UnpacksWithEveryTeam) {
  lab::Random random;
  ForEachTeam([&](const std::string& team) {
    RandomUnpacked(random, 3, 100).Check(team);
    RandomUnpacked(random, 0, 0).Check(team);
    RandomUnpacked(random, 101, 99).Check(team);
  });
}

TEST(UnpackBothTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 30; ++call) {
    const std::size_t n = random.UniformInt<std::size_t>(0, 60);
    ASSERT_NO_FATAL_FAILURE(RandomUnpacked(random, n, 60 - n).Check("one of many"));
  }
}

LAB_TEST_OPENMP_CALLERS(UnpackBothTest, [](lab::Random& random, const std::string& what) {
  RandomUnpacked(random, 50, 60).Check(what);
})

TEST(UnpackBothTiming, UnpacksSoundAndPicture) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const std::size_t n = Timed(20'000, 4);
    return [want = RandomUnpacked(random, n, n)] { want.Check("timed"); };
  });
}

}  // namespace
}  // namespace openmp_data
