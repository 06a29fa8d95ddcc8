// The public test: a few simple cases for each part. The grader tests more; scan.h says what.
// One case of each part has the size on which the grader counts; README.md has their names.

#include "labs/cuda_scan/scan.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Numbers = std::vector<std::uint32_t>;
using Flags = std::vector<std::uint8_t>;

const lab::Function<decltype(InclusiveScanTile)> inclusive_scan_tile{"InclusiveScanTile"};
const lab::Function<decltype(ExclusiveScanTile)> exclusive_scan_tile{"ExclusiveScanTile"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};
const lab::Function<decltype(SegmentedScan)> segmented_scan{"SegmentedScan"};
const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};

Numbers SmallNumbers(std::size_t n) { return lab::Random().Vector<std::uint32_t>(n, 0, 9); }

Numbers Ones(std::size_t n) { return Numbers(n, 1); }

std::vector<std::uint64_t> Workspace(std::size_t n) {
  return lab::Poisoned<std::uint64_t>(WorkspaceSize(n));
}

// Calls scan(values, sums), where the sums were never written.
template <typename Scan>
void ExpectInclusive(const Numbers& values, const Scan& scan) {
  Numbers want;
  std::uint32_t sum = 0;
  for (const std::uint32_t value : values) want.push_back(sum += value);
  Numbers sums = lab::Poisoned<std::uint32_t>(values.size());
  scan(values, sums);
  EXPECT_TRUE(lab::ExpectAllEqual(sums, want)) << "with n = " << values.size();
}

template <typename Scan>
void ExpectExclusive(const Numbers& counts, const Scan& scan) {
  Numbers want;
  std::uint32_t sum = 0;
  for (const std::uint32_t count : counts) {
    want.push_back(sum);
    sum += count;
  }
  Numbers starts = lab::Poisoned<std::uint32_t>(counts.size());
  scan(counts, starts);
  EXPECT_TRUE(lab::ExpectAllEqual(starts, want)) << "with n = " << counts.size();
}

void LargeInclusive(const Numbers& values, Numbers& sums) {
  std::vector<std::uint64_t> workspace = Workspace(values.size());
  inclusive_scan(values, sums, workspace);
}

void LargeExclusive(const Numbers& counts, Numbers& starts) {
  std::vector<std::uint64_t> workspace = Workspace(counts.size());
  exclusive_scan(counts, starts, workspace);
}

TEST(InclusiveScanTileTest, ScansFourValues) { ExpectInclusive({3, 1, 4, 1}, inclusive_scan_tile); }

TEST(InclusiveScanTileTest, ScansAWholeTileOfOnes) {
  ExpectInclusive(Ones(kTile), inclusive_scan_tile);
}

TEST(InclusiveScanTileTest, ScansThreeHundredValues) {
  ExpectInclusive(SmallNumbers(300), inclusive_scan_tile);
}

TEST(InclusiveScanTileTest, ScansNoValues) { ExpectInclusive({}, inclusive_scan_tile); }

TEST(InclusiveScanTileTest, ThrowsWhenARuntimeCallFails) {
  ExpectInclusive({3, 1, 4, 1}, lab::WithFailingCalls(inclusive_scan_tile));
}

TEST(ExclusiveScanTileTest, ScansFourCounts) { ExpectExclusive({3, 1, 4, 1}, exclusive_scan_tile); }

TEST(ExclusiveScanTileTest, ScansAWholeTileOfOnes) {
  ExpectExclusive(Ones(kWideTile), exclusive_scan_tile);
}

TEST(ExclusiveScanTileTest, ScansAThousandCounts) {
  ExpectExclusive(SmallNumbers(1000), exclusive_scan_tile);
}

TEST(ExclusiveScanTileTest, ScansNoCounts) { ExpectExclusive({}, exclusive_scan_tile); }

TEST(ExclusiveScanTileTest, ThrowsWhenARuntimeCallFails) {
  ExpectExclusive({3, 1, 4, 1}, lab::WithFailingCalls(exclusive_scan_tile));
}

TEST(ExclusiveScanTest, ScansFourCounts) { ExpectExclusive({3, 1, 4, 1}, LargeExclusive); }

TEST(ExclusiveScanTest, ScansTenThousandOnes) { ExpectExclusive(Ones(10'000), LargeExclusive); }

TEST(ExclusiveScanTest, ScansAHundredThousandCounts) {
  ExpectExclusive(SmallNumbers(100'003), LargeExclusive);
}

TEST(ExclusiveScanTest, ScansAQuarterOfAMillionCounts) {
  ExpectExclusive(SmallNumbers((1 << 18) + 5), LargeExclusive);
}

TEST(ExclusiveScanTest, ScansNoCounts) { ExpectExclusive({}, LargeExclusive); }

TEST(ExclusiveScanTest, ThrowsWhenARuntimeCallFails) {
  ExpectExclusive(Ones(10'000), lab::WithFailingCalls(LargeExclusive));
}

void ExpectSegmented(const Numbers& values, const Flags& flags) {
  Numbers want;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum = flags[i] != 0 ? values[i] : sum + values[i];
    want.push_back(sum);
  }
  Numbers sums = lab::Poisoned<std::uint32_t>(values.size());
  std::vector<std::uint64_t> workspace = Workspace(values.size());
  segmented_scan(values, flags, sums, workspace);
  EXPECT_TRUE(lab::ExpectAllEqual(sums, want)) << "with n = " << values.size();
}

TEST(SegmentedScanTest, ScansThreeSegments) {
  ExpectSegmented({3, 1, 4, 1, 5, 9, 2, 6}, {1, 0, 0, 1, 1, 0, 0, 0});
}

TEST(SegmentedScanTest, ScansOneSegmentWithoutAFlag) {
  ExpectSegmented({3, 1, 4, 1, 5}, {0, 0, 0, 0, 0});
}

TEST(SegmentedScanTest, ScansSegmentsOfAThirdOfATile) {
  Flags flags(100'000, 0);
  for (std::size_t i = 0; i < flags.size(); i += 333) flags[i] = 1;
  ExpectSegmented(Ones(flags.size()), flags);
}

TEST(SegmentedScanTest, ScansASegmentOfManyTiles) {
  Flags flags(20'000, 0);
  flags[700] = flags[19'000] = 1;
  ExpectSegmented(SmallNumbers(flags.size()), flags);
}

TEST(SegmentedScanTest, ScansAQuarterOfAMillionValues) {
  Flags flags((1 << 18) + 5, 0);
  for (std::size_t i = 0; i < flags.size(); i += 1000) flags[i] = 1;
  ExpectSegmented(SmallNumbers(flags.size()), flags);
}

TEST(SegmentedScanTest, ScansNoValues) { ExpectSegmented({}, {}); }

TEST(SegmentedScanTest, ThrowsWhenARuntimeCallFails) {
  Numbers sums(4);
  std::vector<std::uint64_t> workspace = Workspace(4);
  lab::WithFailingCalls(segmented_scan)(Ones(4), Flags{1, 0, 1, 0}, sums, workspace);
  EXPECT_EQ(sums, (Numbers{1, 2, 1, 2}));
}

TEST(InclusiveScanTest, ScansFiveValues) { ExpectInclusive({3, 1, 4, 1, 5}, LargeInclusive); }

TEST(InclusiveScanTest, ScansTenThousandOnes) { ExpectInclusive(Ones(10'000), LargeInclusive); }

TEST(InclusiveScanTest, ScansAQuarterOfAMillionValues) {
  ExpectInclusive(SmallNumbers((1 << 18) + 5), LargeInclusive);
}

TEST(InclusiveScanTest, ScansAMillionValues) {
  ExpectInclusive(SmallNumbers(1'000'003), LargeInclusive);
}

TEST(InclusiveScanTest, ScansNoValues) { ExpectInclusive({}, LargeInclusive); }

TEST(InclusiveScanTest, ThrowsWhenARuntimeCallFails) {
  ExpectInclusive(Ones(10'000), lab::WithFailingCalls(LargeInclusive));
}

}  // namespace
