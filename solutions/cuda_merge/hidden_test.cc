// The hidden test of the lab "Merge on a GPU": the three merges. That of the co-ranks is in
// hidden_ranks_test.cc, what is counted and timed in hidden_cost_test.cc.
//
// Each part starts with sizes of a few warps, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include "common/lab/call/callers.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_merge/hidden_inputs.h"

namespace merge_test {
namespace {

constexpr std::size_t kLargeSize = 600'000;  // of each side

// With a workspace in which every word is `content`.
Merge RingWith(std::uint64_t content) {
  return [content](const Items& a, const Items& b, Items& merged) {
    Places workspace(WorkspaceSize(merged.size()), content);
    merge_ring(a, b, merged, workspace);
  };
}

void ExpectKind(const Merge& merge, const Kind& kind, std::size_t m, std::size_t n) {
  SCOPED_TRACE(kind.name);
  lab::Random random;
  ExpectMerged(merge, SidesOf(kind, random, m, n));
}

// A part, and its sizes for items of every kind: several of its blocks.
struct Part {
  Merge merge;
  std::size_t m;
  std::size_t n;
};

// The three merges have the same contract.
struct MergeTest : testing::TestWithParam<Part> {
  const Merge& merge = GetParam().merge;
  lab::Random random;
};

TEST_P(MergeTest, MergesAThousandItems) { ExpectKind(merge, kManyKeys, 400, 600); }

TEST_P(MergeTest, KeepsTheOrderOfEqualKeys) { ExpectKind(merge, kFewKeys, 500, 500); }

TEST_P(MergeTest, MergesUpToEightItemsOfEachSide) {
  for (std::size_t m = 0; m <= 8; ++m) {
    for (std::size_t n = 0; n <= 8; ++n) {
      ExpectKind(merge, kFewKeys, m, n);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// One side is empty.
TEST_P(MergeTest, MergesOneSideAlone) {
  for (const std::size_t n : {1, 32, 1000, 1024, 4097, 10'000}) {
    ExpectKind(merge, kManyKeys, 0, n);
    ExpectKind(merge, kManyKeys, n, 0);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(MergeTest, MergesItemsOfEveryKind) {
  for (const Kind& kind : Kinds()) {
    ExpectKind(merge, kind, GetParam().m, GetParam().n);
    if (HasFailure()) return;
  }
}

// All pairs of sizes at which warps, blocks and tiles begin and end.
TEST_P(MergeTest, MergesArraysThatEndWithWarpsBlocksAndTiles) {
  constexpr std::size_t kSizes[] = {0, 1, 31, 32, 33, 127, 256, 511, 1023, 1024, 1025, 2049, 4096};
  for (const std::size_t m : kSizes) {
    for (const std::size_t n : kSizes) {
      ExpectKind(merge, (m + n) % 2 == 0 ? kFewKeys : kManyKeys, m, n);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// The result fills ranges, tiles or blocks exactly, or has one item more or less, for several
// ratios of the sides.
TEST_P(MergeTest, FillsRangesTilesAndBlocksOfTheResult) {
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
TEST_P(MergeTest, MergesVeryUnequalSides) {
  constexpr std::size_t kMany = 20'003;
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

// What the result held must not matter.
TEST_P(MergeTest, OverwritesWhatTheResultHeld) {
  for (const std::int32_t before : {0, -1, 1 << 30}) {
    SCOPED_TRACE("the result held " + std::to_string(before));
    const Sides sides = SidesOf(kFewKeys, random, 2000, 3100);
    ExpectMerged(merge, sides, Expected(sides), before);
  }
}

TEST_P(MergeTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 12; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto m = random.UniformInt<std::size_t>(0, 5000);
    const auto n = random.UniformInt<std::size_t>(0, 5000);
    ExpectMerged(merge, SidesOf(call % 2 == 0 ? kFewKeys : kManyKeys, random, m, n));
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(MergeTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  const Sides sides = SidesOf(kManyKeys, random, 3000, 2500);
  const Items want = Expected(sides);
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectMerged(merge, sides, want);
  });
}

TEST_P(MergeTest, MergesALargeInput) {
  ExpectMerged(merge, FastSides(random, lab::Scaled(kLargeSize), lab::Scaled(kLargeSize) + 3));
  ExpectMerged(merge, FastSides(random, 77, lab::Scaled(kLargeSize)));
}

TEST_P(MergeTest, ThrowsWhenARuntimeCallFails) {
  ExpectKind(lab::WithFailingCalls(merge), kFewKeys, 400, 600);
}

TEST(MergeRingTest, MakesNothingOfWhatTheWorkspaceHolds) {
  for (const std::uint64_t content : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    SCOPED_TRACE("the workspace held " + std::to_string(content));
    ExpectKind(RingWith(content), kFewKeys, 5000, 4000);
  }
}

INSTANTIATE_TEST_SUITE_P(MergeRangesTest, MergeTest,
                         testing::Values(Part{merge_ranges, 5000, 7001}));
INSTANTIATE_TEST_SUITE_P(MergeTilesTest, MergeTest,
                         testing::Values(Part{merge_tiles, 9000, 12'001}));
INSTANTIATE_TEST_SUITE_P(MergeRingTest, MergeTest,
                         testing::Values(Part{RingWith(lab::PoisonValue<std::uint64_t>()), 9000,
                                              12'001}));

}  // namespace
}  // namespace merge_test
