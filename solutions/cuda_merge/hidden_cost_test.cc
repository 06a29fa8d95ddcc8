// The hidden test of the lab "Merge on a GPU": what the merges cost.

#include <gtest/gtest.h>

#include <memory>

#include "common/lab/testing/timed_pairs.h"
#include "solutions/cuda_merge/hidden_inputs.h"

namespace merge_test::cost_test {

void Ring(const Items& a, const Items& b, Items& merged) {
  Places workspace = lab::Poisoned<std::uint64_t>(WorkspaceSize(merged.size()));
  merge_ring(a, b, merged, workspace);
}

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
void ExpectCounted(const Merge& merge) {
  lab::Random random;
  ExpectMerged(merge, FastSides(random, 1 << 17, (1 << 17) + 5));
}

TEST(MergeRangesCounted, MergesAQuarterOfAMillionItems) { ExpectCounted(merge_ranges); }

TEST(MergeRangesUnequalCounted, MergesAQuarterOfAMillionItems) {
  lab::Random random;
  ExpectMerged(merge_ranges, FastSides(random, 65, 1 << 18));
}

TEST(MergeTilesCounted, MergesAQuarterOfAMillionItems) { ExpectCounted(merge_tiles); }

TEST(MergeRingCounted, MergesAQuarterOfAMillionItems) { ExpectCounted(Ring); }

TEST(MergeRingTiming, MergesAMillionItems) {
  const std::size_t m = lab::TimedSize(1 << 19, 1 << 25);
  const lab::Work work{4.0 * sizeof(std::int32_t) * m, 2.0 * m};
  lab::RunTimedPairs(work, [m](lab::Random& random) -> std::function<void()> {
    const auto sides = std::make_shared<Sides>(FastSides(random, m, m));
    const auto want = std::make_shared<Items>(Expected(*sides));
    return [sides, want] { ExpectMerged(Ring, *sides, *want); };
  });
}

}  // namespace merge_test::cost_test
