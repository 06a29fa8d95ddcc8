// The hidden test of the lab "Scan on a GPU": the plain scans. That of segments is in
// hidden_segments_test.cc.
//
// Each part starts with a size below a block's or of several blocks, so that a common mistake shows
// there first.

#include <gtest/gtest.h>

#include <memory>

#include "common/lab/function.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
#include "common/lab/with_failing_calls.h"
#include "solutions/cuda_scan/hidden_inputs.h"

namespace scan_test {
namespace {

const lab::Function<decltype(InclusiveScanTile)> inclusive_scan_tile{"InclusiveScanTile"};
const lab::Function<decltype(ExclusiveScanTile)> exclusive_scan_tile{"ExclusiveScanTile"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};
const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};

// With a workspace that holds the same word everywhere; it is poison unless said.
void Exclusive(const Numbers& values, Numbers& sums,
               std::uint64_t content = lab::PoisonValue<std::uint64_t>()) {
  std::vector<std::uint64_t> workspace = AnyWorkspace(values.size(), content);
  exclusive_scan(values, sums, workspace);
}

void Inclusive(const Numbers& values, Numbers& sums,
               std::uint64_t content = lab::PoisonValue<std::uint64_t>()) {
  std::vector<std::uint64_t> workspace = AnyWorkspace(values.size(), content);
  inclusive_scan(values, sums, workspace);
}

const Scan kInclusiveTile{inclusive_scan_tile, InclusiveSums};
const Scan kExclusiveTile{exclusive_scan_tile, ExclusiveSums};
const Scan kExclusive{[](const Numbers& v, Numbers& s) { Exclusive(v, s); }, ExclusiveSums};
const Scan kInclusive{[](const Numbers& v, Numbers& s) { Inclusive(v, s); }, InclusiveSums};

// A scan that took the workspace for cleared, or for what its last call had left, would go wrong.
template <typename Call>
void ExpectAnyWorkspace(const Call& call, Numbers (*expected)(const Numbers&)) {
  for (const std::uint64_t content :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x100000001},
        std::uint64_t{0x200000002}, std::uint64_t{0x0202020202020202}}) {
    SCOPED_TRACE("the workspace held " + std::to_string(content));
    ExpectScan({[&](const Numbers& v, Numbers& s) { call(v, s, content); }, expected},
               Numbers(5000, 3));
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectFailuresReported(const Scan& scan, std::size_t n) {
  ExpectScan({lab::WithFailingCalls(scan.scan), scan.expected}, Numbers(n, 1));
}

TEST(InclusiveScanTileTest, ScansAThousandValues) { ExpectScan(kInclusiveTile, Numbers(1000, 1)); }

TEST(InclusiveScanTileTest, ScansAWholeTile) {
  lab::Random random;
  ExpectScan(kInclusiveTile, kTile, random);
}

TEST(InclusiveScanTileTest, ScansAnyNumberOfValuesUpToTwoWarps) {
  ExpectAllUpToTwoWarps(kInclusiveTile);
}

TEST(InclusiveScanTileTest, ScansAnyNumberOfValuesUpToATile) { ExpectSizes(kInclusiveTile, kTile); }

TEST(InclusiveScanTileTest, ScansUniformAndSingleValues) {
  ExpectUniformAndSingleValues(kInclusiveTile, 777);
}

TEST(InclusiveScanTileTest, OverwritesWhatTheSumsHeld) { ExpectOverwritten(kInclusiveTile, 100); }

TEST(InclusiveScanTileTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(kInclusiveTile, kTile);
}

TEST(InclusiveScanTileTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  ExpectServed(kInclusiveTile, 1000);
}

TEST(InclusiveScanTileTest, ThrowsWhenARuntimeCallFails) {
  ExpectFailuresReported(kInclusiveTile, 1000);
}

TEST(ExclusiveScanTileTest, ScansAThousandCounts) { ExpectScan(kExclusiveTile, Numbers(1000, 1)); }

TEST(ExclusiveScanTileTest, ScansAWholeTile) {
  lab::Random random;
  ExpectScan(kExclusiveTile, kWideTile, random);
}

TEST(ExclusiveScanTileTest, ScansAnyNumberOfCountsUpToTwoWarps) {
  ExpectAllUpToTwoWarps(kExclusiveTile);
}

TEST(ExclusiveScanTileTest, ScansAnyNumberOfCountsUpToATile) {
  ExpectSizes(kExclusiveTile, kWideTile);
}

TEST(ExclusiveScanTileTest, ScansUniformAndSingleCounts) {
  ExpectUniformAndSingleValues(kExclusiveTile, 1999);
}

TEST(ExclusiveScanTileTest, OverwritesWhatTheStartsHeld) { ExpectOverwritten(kExclusiveTile, 100); }

TEST(ExclusiveScanTileTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(kExclusiveTile, kWideTile);
}

TEST(ExclusiveScanTileTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  ExpectServed(kExclusiveTile, 2000);
}

TEST(ExclusiveScanTileTest, ThrowsWhenARuntimeCallFails) {
  ExpectFailuresReported(kExclusiveTile, 1000);
}

TEST(ExclusiveScanTest, ScansAThousandCounts) { ExpectScan(kExclusive, Numbers(1000, 1)); }

TEST(ExclusiveScanTest, ScansTenThousandCountsOfSeveralBlocks) {
  ExpectScan(kExclusive, Numbers(10'000, 1));
}

TEST(ExclusiveScanTest, ScansAnyNumberOfCountsUpToTwoWarps) { ExpectAllUpToTwoWarps(kExclusive); }

TEST(ExclusiveScanTest, ScansEveryCountAtWarpBlockAndTileEdges) {
  ExpectSizes(kExclusive, kLargeSize);
}

TEST(ExclusiveScanTest, ScansUniformAndSingleCounts) {
  ExpectUniformAndSingleValues(kExclusive, 9001);
}

TEST(ExclusiveScanTest, OverwritesWhatTheStartsHeld) { ExpectOverwritten(kExclusive, 5000); }

TEST(ExclusiveScanTest, MakesNothingOfWhatTheWorkspaceHolds) {
  ExpectAnyWorkspace(Exclusive, ExclusiveSums);
}

TEST(ExclusiveScanTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(kExclusive, 9000);
}

TEST(ExclusiveScanTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kExclusive, 5000); }

TEST(ExclusiveScanTest, ScansALargeInput) { ExpectLarge(kExclusive); }

TEST(ExclusiveScanTest, ThrowsWhenARuntimeCallFails) { ExpectFailuresReported(kExclusive, 10'000); }

TEST(InclusiveScanTest, ScansAThousandValues) { ExpectScan(kInclusive, Numbers(1000, 1)); }

TEST(InclusiveScanTest, ScansTenThousandValuesOfSeveralBlocks) {
  ExpectScan(kInclusive, Numbers(10'000, 1));
}

TEST(InclusiveScanTest, ScansAnyNumberOfValuesUpToTwoWarps) { ExpectAllUpToTwoWarps(kInclusive); }

TEST(InclusiveScanTest, ScansEveryValueAtWarpBlockAndTileEdges) {
  ExpectSizes(kInclusive, kLargeSize);
}

TEST(InclusiveScanTest, ScansUniformAndSingleValues) {
  ExpectUniformAndSingleValues(kInclusive, 9001);
}

TEST(InclusiveScanTest, OverwritesWhatTheSumsHeld) { ExpectOverwritten(kInclusive, 5000); }

TEST(InclusiveScanTest, MakesNothingOfWhatTheWorkspaceHolds) {
  ExpectAnyWorkspace(Inclusive, InclusiveSums);
}

TEST(InclusiveScanTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(kInclusive, 9000);
}

TEST(InclusiveScanTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kInclusive, 5000); }

TEST(InclusiveScanTest, ScansALargeInput) { ExpectLarge(kInclusive); }

TEST(InclusiveScanTest, ThrowsWhenARuntimeCallFails) { ExpectFailuresReported(kInclusive, 10'000); }

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
TEST(InclusiveScanTileCounted, ScansAWholeTile) {
  lab::Random random;
  ExpectScan(kInclusiveTile, kTile, random);
}

TEST(ExclusiveScanTileCounted, ScansAWholeTile) {
  lab::Random random;
  ExpectScan(kExclusiveTile, kWideTile, random);
}

TEST(ExclusiveScanCounted, ScansAQuarterOfAMillionCounts) {
  lab::Random random;
  ExpectScan(kExclusive, (1 << 18) + 5, random);
}

TEST(InclusiveScanCounted, ScansAQuarterOfAMillionValues) {
  lab::Random random;
  ExpectScan(kInclusive, (1 << 18) + 5, random);
}

TEST(ExclusiveScanTiming, ScansAMillionCounts) {
  const std::size_t n = lab::TimedSize(1 << 20, 1 << 25);
  const lab::Work work{2.0 * sizeof(std::uint32_t) * n, 1.0 * n};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Numbers>(AnyNumbers(random, n));
    const auto want = std::make_shared<Numbers>(ExclusiveSums(*values));
    return [values, want] { ExpectScanned(kExclusive, *values, *want); };
  });
}

}  // namespace
}  // namespace scan_test
