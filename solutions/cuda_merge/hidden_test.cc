// The hidden test of the lab "Merge on a GPU": the three merges. They promise the same, and are
// asked the same. That of the co-ranks is in hidden_ranks_test.cc, what is counted and timed in
// hidden_cost_test.cc.
//
// Each part starts with sizes of a few warps, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include "common/lab/callers.h"
#include "common/lab/function.h"
#include "common/lab/with_failing_calls.h"
#include "solutions/cuda_merge/hidden_inputs.h"

namespace merge_test {
namespace {

constexpr std::size_t kLargeSize = 600'000;  // of each side

const lab::Function<decltype(MergeRanges)> merge_ranges{"MergeRanges"};
const lab::Function<decltype(MergeTiles)> merge_tiles{"MergeTiles"};
const lab::Function<decltype(MergeRing)> merge_ring{"MergeRing"};

// With a workspace that holds the same word everywhere.
Merge RingWith(std::uint64_t content) {
  return [content](const Items& a, const Items& b, Items& merged) {
    Places workspace(WorkspaceSize(merged.size()), content);
    merge_ring(a, b, merged, workspace);
  };
}

const Merge kRanges{merge_ranges};
const Merge kTiles{merge_tiles};
const Merge kRing{RingWith(lab::PoisonValue<std::uint64_t>())};

void ExpectKind(const Merge& merge, const Kind& kind, std::size_t m, std::size_t n) {
  SCOPED_TRACE(kind.name);
  lab::Random random;
  ExpectMerged(merge, SidesOf(kind, random, m, n));
}

void ExpectEveryKind(const Merge& merge, std::size_t m, std::size_t n) {
  for (const Kind& kind : Kinds()) {
    ExpectKind(merge, kind, m, n);
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectSmallSizes(const Merge& merge) {
  for (std::size_t m = 0; m <= 8; ++m) {
    for (std::size_t n = 0; n <= 8; ++n) {
      ExpectKind(merge, kFewKeys, m, n);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Every one with every other: sizes at which warps, blocks and tiles begin and end.
void ExpectEdgeSizes(const Merge& merge) {
  constexpr std::size_t kSizes[] = {0, 1, 31, 32, 33, 127, 256, 511, 1023, 1024, 1025, 2049, 4096};
  for (const std::size_t m : kSizes) {
    for (const std::size_t n : kSizes) {
      ExpectKind(merge, (m + n) % 2 == 0 ? kFewKeys : kManyKeys, m, n);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// The result fills ranges, tiles or blocks exactly, or misses by one, however it is made up.
void ExpectEdgesOfTheResult(const Merge& merge) {
  constexpr std::size_t kTotals[] = {512, 1024, 1920, 2048, 3840, 4096, 8192, 16384};
  for (const std::size_t total : kTotals) {
    for (const std::size_t items : {total - 1, total, total + 1}) {
      for (const std::size_t m : {std::size_t{0}, std::size_t{1}, items / 3, items / 2, items}) {
        ExpectKind(merge, kManyKeys, m, items - m);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// One item with the key of the first, the middle or the last of many, before and behind all others,
// and a few of them.
void ExpectUnequalSides(const Merge& merge) {
  constexpr std::size_t kMany = 20'003;
  lab::Random random;
  const Items many = WithTags(random, KeysBy(kMany, [](std::size_t i) { return i / 3; }));
  const Items few = WithTags(random, {-5, 0, 0, 3000, 3000, 6667, 9999});
  for (const std::int32_t key : {-1, 0, 3333, 6667, 9999}) {
    const Items one = WithTags(random, {key});
    SCOPED_TRACE("one item has the key " + std::to_string(key));
    ExpectMerged(merge, {one, many});
    ExpectMerged(merge, {many, one});
    if (testing::Test::HasFailure()) return;
  }
  ExpectMerged(merge, {few, many});
  ExpectMerged(merge, {many, few});
}

// One side is empty.
void ExpectOneSide(const Merge& merge) {
  for (const std::size_t n : {1, 32, 1000, 1024, 4097, 10'000}) {
    ExpectKind(merge, kManyKeys, 0, n);
    ExpectKind(merge, kManyKeys, n, 0);
    if (testing::Test::HasFailure()) return;
  }
}

// What the result held must not matter.
void ExpectOverwritten(const Merge& merge) {
  lab::Random random;
  for (const std::int32_t before : {0, -1, 1 << 30}) {
    SCOPED_TRACE("the result held " + std::to_string(before));
    const Sides sides = SidesOf(kFewKeys, random, 2000, 3100);
    ExpectMerged(merge, sides, Expected(sides), before);
  }
}

void ExpectIndependentCalls(const Merge& merge) {
  lab::Random random;
  for (int call = 0; call < 12; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto m = random.UniformInt<std::size_t>(0, 5000);
    const auto n = random.UniformInt<std::size_t>(0, 5000);
    ExpectMerged(merge, SidesOf(call % 2 == 0 ? kFewKeys : kManyKeys, random, m, n));
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectServed(const Merge& merge) {
  lab::Random random;
  const Sides sides = SidesOf(kManyKeys, random, 3000, 2500);
  const Items want = Expected(sides);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectMerged(merge, sides, want);
  });
}

void ExpectLarge(const Merge& merge) {
  lab::Random random;
  ExpectMerged(merge, FastSides(random, lab::Scaled(kLargeSize), lab::Scaled(kLargeSize) + 3));
  ExpectMerged(merge, FastSides(random, 77, lab::Scaled(kLargeSize)));
}

TEST(MergeRangesTest, MergesAThousandItems) { ExpectKind(kRanges, kManyKeys, 400, 600); }

TEST(MergeRangesTest, KeepsTheOrderOfEqualKeys) { ExpectKind(kRanges, kFewKeys, 500, 500); }

TEST(MergeRangesTest, MergesUpToEightItemsOfEachSide) { ExpectSmallSizes(kRanges); }

TEST(MergeRangesTest, MergesOneSideAlone) { ExpectOneSide(kRanges); }

TEST(MergeRangesTest, MergesItemsOfEveryKind) { ExpectEveryKind(kRanges, 5000, 7001); }

TEST(MergeRangesTest, MergesArraysThatEndWithWarpsAndBlocks) { ExpectEdgeSizes(kRanges); }

TEST(MergeRangesTest, FillsRangesAndBlocksOfTheResult) { ExpectEdgesOfTheResult(kRanges); }

TEST(MergeRangesTest, MergesVeryUnequalSides) { ExpectUnequalSides(kRanges); }

TEST(MergeRangesTest, OverwritesWhatTheResultHeld) { ExpectOverwritten(kRanges); }

TEST(MergeRangesTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(kRanges); }

TEST(MergeRangesTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kRanges); }

TEST(MergeRangesTest, MergesALargeInput) { ExpectLarge(kRanges); }

TEST(MergeRangesTest, ThrowsWhenARuntimeCallFails) {
  ExpectKind(lab::WithFailingCalls(kRanges), kFewKeys, 400, 600);
}

TEST(MergeTilesTest, MergesAThousandItems) { ExpectKind(kTiles, kManyKeys, 400, 600); }

TEST(MergeTilesTest, KeepsTheOrderOfEqualKeys) { ExpectKind(kTiles, kFewKeys, 500, 500); }

TEST(MergeTilesTest, MergesUpToEightItemsOfEachSide) { ExpectSmallSizes(kTiles); }

TEST(MergeTilesTest, MergesOneSideAlone) { ExpectOneSide(kTiles); }

TEST(MergeTilesTest, MergesItemsOfEveryKind) { ExpectEveryKind(kTiles, 9000, 12'001); }

TEST(MergeTilesTest, MergesArraysThatEndWithWarpsAndTiles) { ExpectEdgeSizes(kTiles); }

TEST(MergeTilesTest, FillsTilesAndBlocksOfTheResult) { ExpectEdgesOfTheResult(kTiles); }

TEST(MergeTilesTest, MergesVeryUnequalSides) { ExpectUnequalSides(kTiles); }

TEST(MergeTilesTest, OverwritesWhatTheResultHeld) { ExpectOverwritten(kTiles); }

TEST(MergeTilesTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(kTiles); }

TEST(MergeTilesTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kTiles); }

TEST(MergeTilesTest, MergesALargeInput) { ExpectLarge(kTiles); }

TEST(MergeTilesTest, ThrowsWhenARuntimeCallFails) {
  ExpectKind(lab::WithFailingCalls(kTiles), kFewKeys, 400, 600);
}

TEST(MergeRingTest, MergesAThousandItems) { ExpectKind(kRing, kManyKeys, 400, 600); }

TEST(MergeRingTest, KeepsTheOrderOfEqualKeys) { ExpectKind(kRing, kFewKeys, 500, 500); }

TEST(MergeRingTest, MergesUpToEightItemsOfEachSide) { ExpectSmallSizes(kRing); }

TEST(MergeRingTest, MergesOneSideAlone) { ExpectOneSide(kRing); }

TEST(MergeRingTest, MergesItemsOfEveryKind) { ExpectEveryKind(kRing, 9000, 12'001); }

TEST(MergeRingTest, MergesArraysThatEndWithWarpsAndTiles) { ExpectEdgeSizes(kRing); }

TEST(MergeRingTest, FillsTilesAndBlocksOfTheResult) { ExpectEdgesOfTheResult(kRing); }

TEST(MergeRingTest, MergesVeryUnequalSides) { ExpectUnequalSides(kRing); }

TEST(MergeRingTest, OverwritesWhatTheResultHeld) { ExpectOverwritten(kRing); }

TEST(MergeRingTest, MakesNothingOfWhatTheWorkspaceHolds) {
  for (const std::uint64_t content : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    SCOPED_TRACE("the workspace held " + std::to_string(content));
    ExpectKind(RingWith(content), kFewKeys, 5000, 4000);
  }
}

TEST(MergeRingTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(kRing); }

TEST(MergeRingTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kRing); }

TEST(MergeRingTest, MergesALargeInput) { ExpectLarge(kRing); }

TEST(MergeRingTest, ThrowsWhenARuntimeCallFails) {
  ExpectKind(lab::WithFailingCalls(kRing), kFewKeys, 400, 600);
}

}  // namespace
}  // namespace merge_test
