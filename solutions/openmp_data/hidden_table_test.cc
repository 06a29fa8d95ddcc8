// The hidden tests of the table and of the search.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/openmp_data/hidden_checks.h"

namespace openmp_data {
namespace {

Numbers RandomKeys(lab::Random& random, std::size_t n, std::uint64_t different) {
  const std::uint64_t first = random.Next() / 2;
  return random.Vector<std::uint64_t>(n, first, first + different - 1);
}

TEST(CountKeysTest, CountsAtTheEdgesOfShares) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    for (const std::size_t buckets : {1, 2, 7}) {
      const Counts counts(RandomKeys(random, n, 5), buckets);
      ASSERT_NO_FATAL_FAILURE(counts.Check("five keys"));
    }
  }
}

TEST(CountKeysTest, CountsWithEveryTeam) {
  lab::Random random;
  ForEachTeam([&](const std::string& team) {
    Counts(RandomKeys(random, 500, 40), 8).Check(team);
    Counts(RandomKeys(random, 100, 1), 3).Check(team);
  });
}

// All threads insert at the same time, often the same key.
TEST(CountKeysTest, InsertsEachKeyOnce) {
  lab::Random random;
  Numbers keys;
  for (std::uint64_t key = 0; key < 500; ++key) keys.insert(keys.end(), 8, key);
  Counts(keys, 4).Check("neighbours are equal");
  for (int round = 0; round < 20; ++round) {
    Numbers repeated;
    const Numbers some = random.AnyBits<std::uint64_t>(8);
    for (int copy = 0; copy < 8; ++copy) repeated.insert(repeated.end(), some.begin(), some.end());
    ASSERT_NO_FATAL_FAILURE(Counts(repeated, 1).Check("each share has the same keys"));
  }
}

// One thread inserts, and so never a key that another one has just inserted.
TEST(CountKeysTest, NeedsNoMoreEntriesThanThereAreKeys) {
  lab::Random random;
  const lab::TeamSize team(1);
  for (const std::uint64_t different : {1, 7, 300}) {
    const Counts counts(RandomKeys(random, 500, different), 8);
    ASSERT_NO_FATAL_FAILURE(counts.Check("room for the different keys", counts.counts.size()));
  }
}

TEST(CountKeysTest, CountsOneKeyAndAllDifferentKeys) {
  lab::Random random;
  Counts(Numbers(3000, random.Next()), 5).Check("one key");
  Counts(Numbers(3000, ~std::uint64_t{0}), 5).Check("the largest key");
  Counts(random.AnyBits<std::uint64_t>(2000), 16).Check("all different");
  Counts(random.AnyBits<std::uint64_t>(20), 1000).Check("more buckets than keys");
}

TEST(CountKeysTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 50; ++call) {
    const std::size_t n = random.UniformInt<std::size_t>(0, 200);
    ASSERT_NO_FATAL_FAILURE(Counts(RandomKeys(random, n, 20), 4).Check("one of many"));
  }
}

LAB_TEST_OPENMP_CALLERS(CountKeysTest, [](lab::Random& random, const std::string& what) {
  Counts(RandomKeys(random, 300, 40), 8).Check(what);
})

// Chains of 32 entries. One key in eight is the same, as in a text.
TEST(CountKeysTiming, CountsKeysOfWhichOneIsFrequent) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Numbers keys = RandomKeys(random, Timed(1 << 17, 4), 4096);
    for (std::size_t i = 0; i < keys.size(); i += 8) keys[i] = keys[0];
    return [want = Counts(std::move(keys), 128)] { want.Check("timed"); };
  });
}

// Different numbers, of which no two match each other.
Numbers Candidates(lab::Random& random, std::size_t n) {
  Numbers candidates(n);
  const std::uint64_t first = random.Next();
  for (std::size_t i = 0; i < n; ++i) candidates[i] = first + i;
  return candidates;
}

TEST(FindMatchTest, FindsTheMatchWhereverItIs) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    const Numbers candidates = Candidates(random, n);
    for (std::size_t place = 0; place < n; place += n / 20 + 1) {
      ASSERT_NO_FATAL_FAILURE(CheckMatch(candidates, candidates[place], 3, "one match"));
    }
  }
}

TEST(FindMatchTest, GivesTheSizeWhereNothingMatches) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    const Numbers candidates = Candidates(random, n);
    ASSERT_NO_FATAL_FAILURE(CheckMatch(candidates, random.Next(), 3, "no match"));
  }
}

TEST(FindMatchTest, FindsOneOfManyMatches) {
  lab::Random random;
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {1, 2, 50, 1000}) {
      CheckMatch(Numbers(n, 17), 17, 5, team + ", all match");
      Numbers some = Candidates(random, n);
      for (std::size_t i = 0; i < n; i += 3) some[i] = 17;
      CheckMatch(some, 17, 5, team + ", every third one matches");
    }
  });
}

// Tests so long that all threads are at their first match before one of them has cancelled.
TEST(FindMatchTest, FindsOneOfTheMatchesOfAllThreads) {
  ForEachTeam([](const std::string& team) {
    for (int round = 0; round < 3; ++round) {
      CheckMatch(Numbers(64, 17), 17, 300'000, team + ", long tests, all match");
    }
  });
}

TEST(FindMatchTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 50; ++call) {
    const Numbers candidates = Candidates(random, random.UniformInt<std::size_t>(1, 200));
    const std::uint64_t key = call % 2 == 0 ? candidates.back() : random.Next();
    ASSERT_NO_FATAL_FAILURE(CheckMatch(candidates, key, 3, "one of many"));
  }
}

LAB_TEST_OPENMP_CALLERS(FindMatchTest, [](lab::Random& random, const std::string& what) {
  const Numbers candidates = Candidates(random, 300);
  CheckMatch(candidates, candidates[random.UniformInt(0, 299)], 5, what);
})

constexpr std::uint32_t kTimedRounds = 300;

// The match is early: those who go on to the end need ten times as long.
TEST(FindMatchTiming, FindsAnEarlyMatch) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Numbers candidates = Candidates(random, lab::Scaled(1 << 16));
    const std::size_t early = candidates.size() / 20;
    const std::uint64_t key = candidates[random.UniformInt(early, early + early / 8)];
    return [candidates = std::move(candidates), key] {
      CheckMatch(candidates, key, kTimedRounds, "timed");
    };
  });
}

TEST(FindMatchParallel, TestsAllWhereNothingMatches) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Numbers candidates = Candidates(random, lab::Scaled(1 << 17));
    const std::uint64_t key = random.Next();
    return [candidates = std::move(candidates), key] {
      CheckMatch(candidates, key, kTimedRounds, "no match");
    };
  });
}

}  // namespace
}  // namespace openmp_data
