// The hidden test of the lab "Merge on a GPU": the co-ranks. The first tests have a few warps of
// places, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include "common/lab/call/callers.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_merge/hidden_inputs.h"

namespace merge_test::ranks_test {

// ranks[t] must be all[ks[t]].
void ExpectRanks(const Sides& sides, const Places& ks, const Places& all,
                 std::uint64_t before = lab::PoisonValue<std::uint64_t>()) {
  Places want;
  for (const std::uint64_t k : ks) want.push_back(all[k]);
  Places ranks(ks.size(), before);
  co_ranks(sides.a, sides.b, ks, ranks);
  SCOPED_TRACE(SizesOf(sides) + " and " + std::to_string(ks.size()) + " places");
  lab::ExpectAllEqual(ranks, want);
}

Places Ascending(std::size_t count) {
  Places ks;
  for (std::size_t k = 0; k < count; ++k) ks.push_back(k);
  return ks;
}

void ExpectAllRanks(const Sides& sides) {
  const Places all = AllRanks(sides);
  ExpectRanks(sides, Ascending(all.size()), all);
}

void ExpectKind(const Kind& kind, std::size_t m, std::size_t n) {
  SCOPED_TRACE(kind.name);
  lab::Random random;
  ExpectAllRanks(SidesOf(kind, random, m, n));
}

// Random places with repetitions, among them the first and the last one.
Places SomePlaces(lab::Random& random, std::size_t count, std::size_t last) {
  Places ks = random.Vector<std::uint64_t>(count, 0, last);
  if (count > 0) ks[random.UniformInt<std::size_t>(0, count - 1)] = last;
  if (count > 1) ks.front() = 0;
  return ks;
}

TEST(CoRanksTest, FindsAThousandCoRanks) { ExpectKind(kManyKeys, 400, 600); }

TEST(CoRanksTest, PutsEqualKeysOfTheFirstArrayFirst) { ExpectKind(kFewKeys, 500, 500); }

TEST(CoRanksTest, FindsCoRanksOfUpToEightItemsOfEachSide) {
  for (std::size_t m = 0; m <= 8; ++m) {
    for (std::size_t n = 0; n <= 8 && !HasFailure(); ++n) ExpectKind(kFewKeys, m, n);
  }
}

TEST(CoRanksTest, FindsCoRanksOfItemsOfEveryKind) {
  for (const Kind& kind : Kinds()) {
    ExpectKind(kind, 3001, 2000);
    if (HasFailure()) return;
  }
}

TEST(CoRanksTest, FindsCoRanksOfArraysOfVeryUnequalSize) {
  for (const std::size_t few : {0, 1, 2, 5}) {
    ExpectKind(kManyKeys, few, 7000);
    ExpectKind(kManyKeys, 7000, few);
    ExpectKind(kFewKeys, few, 7000);
    ExpectKind(kFewKeys, 7000, few);
    if (HasFailure()) return;
  }
}

TEST(CoRanksTest, TakesAnyNumberOfPlaces) {
  lab::Random random;
  const Sides sides = SidesOf(kManyKeys, random, 300, 500);
  const Places all = AllRanks(sides);
  for (const std::size_t width : {32, 256, 1024}) {
    for (const std::size_t count : lab::EdgeSizes(width)) {
      ExpectRanks(sides, SomePlaces(random, count, 800), all);
      if (HasFailure()) return;
    }
  }
}

TEST(CoRanksTest, TakesPlacesOfTwoEmptyArrays) { ExpectRanks({}, Places(100, 0), {0}); }

TEST(CoRanksTest, OverwritesWhatTheRanksHeld) {
  lab::Random random;
  const Sides sides = SidesOf(kFewKeys, random, 300, 500);
  const Places all = AllRanks(sides);
  for (const std::uint64_t before : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    ExpectRanks(sides, Ascending(all.size()), all, before);
  }
}

TEST(CoRanksTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    ExpectKind(call % 2 == 0 ? kFewKeys : kManyKeys, random.UniformInt<std::size_t>(0, 2000),
               random.UniformInt<std::size_t>(0, 2000));
  }
}

TEST(CoRanksTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  const Sides sides = SidesOf(kManyKeys, random, 2000, 1500);
  const Places all = AllRanks(sides);
  const Places ks = Ascending(all.size());
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectRanks(sides, ks, all);
  });
}

TEST(CoRanksTest, FindsManyCoRanksInLargeArrays) {
  lab::Random random;
  const std::size_t m = lab::Scaled(600'000);
  const Sides sides = FastSides(random, m, m + 3);
  ExpectRanks(sides, SomePlaces(random, lab::Scaled(200'000), 2 * m + 3), AllRanks(sides));
}

TEST(CoRanksTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  const Sides sides = SidesOf(kFewKeys, random, 400, 600);
  const Places all = AllRanks(sides);
  Places ranks(all.size());
  lab::WithFailingCalls(co_ranks)(sides.a, sides.b, Ascending(all.size()), ranks);
  EXPECT_EQ(ranks, all);
}

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
TEST(CoRanksCounted, FindsFourThousandCoRanks) {
  lab::Random random;
  const Sides sides = FastSides(random, 1 << 16, (1 << 16) + 5);
  Places ks;
  for (std::uint64_t k = 0; ks.size() < 4096; k += 32) ks.push_back(k);
  ExpectRanks(sides, ks, AllRanks(sides));
}

}  // namespace merge_test::ranks_test
