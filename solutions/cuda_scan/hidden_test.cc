// The hidden test of the lab "Scan on a GPU": the plain scans. That of segments is in
// hidden_segments_test.cc.
//
// Each part starts with a size below a block's or of several blocks, so that a common mistake shows
// there first.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_scan/hidden_inputs.h"

namespace scan_test {
namespace {

const lab::Function<decltype(InclusiveScanTile)> inclusive_scan_tile{"InclusiveScanTile"};
const lab::Function<decltype(ExclusiveScanTile)> exclusive_scan_tile{"ExclusiveScanTile"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};
const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};

// With a workspace that holds the same word everywhere; poison by default.
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

// A part, and sizes for it.
struct Part {
  Scan scan;
  std::size_t largest;
  std::size_t some;    // nearly a tile, or several blocks
  std::size_t served;  // of each of several callers
  void (*with_workspace)(const Numbers&, Numbers&, std::uint64_t) = nullptr;
};

// All parts have the same contract.
struct ScansTest : testing::TestWithParam<Part> {
  const Scan& scan = GetParam().scan;
  const std::size_t largest = GetParam().largest;
  const std::size_t some = GetParam().some;
};

// The parts that scan more than a tile.
struct LongScansTest : ScansTest {};

TEST_P(ScansTest, ScansAThousandValues) { ExpectScan(scan, Numbers(1000, 1)); }

TEST_P(ScansTest, ScansAnyNumberOfValuesUpToTwoWarps) {
  lab::Random random;
  for (std::size_t n = 0; n <= 66 && !HasFailure(); ++n) ExpectScan(scan, n, random);
}

TEST_P(ScansTest, ScansEveryValueAtWarpBlockAndTileEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    if (n > largest) break;
    ExpectScan(scan, n, random);
    if (HasFailure()) return;
  }
}

// Equal values, and a single value among zeros, which every later sum must count once.
TEST_P(ScansTest, ScansUniformAndSingleValues) {
  lab::Random random;
  for (const std::uint32_t value : {0u, 1u, 0x80000000u, 0xffffffffu}) {
    ExpectScan(scan, Numbers(some, value));
  }
  const auto anywhere = random.UniformInt<std::size_t>(0, some - 1);
  for (const std::size_t place : {std::size_t{0}, some / 2, some - 2, some - 1, anywhere}) {
    Numbers values(some, 0);
    values[place] = 0x9e3779b9;
    ExpectScan(scan, values);
  }
}

// What the sums held must not matter.
TEST_P(ScansTest, OverwritesWhatTheSumsHeld) {
  lab::Random random;
  for (const std::uint32_t before : {0u, 1u, 0xffffffffu}) {
    SCOPED_TRACE("the sums held " + std::to_string(before));
    const Numbers values = AnyNumbers(random, some);
    ExpectScanned(scan, values, scan.expected(values), before);
  }
}

TEST_P(ScansTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectScan(scan, random.UniformInt<std::size_t>(0, some), random);
    if (HasFailure()) return;
  }
}

TEST_P(ScansTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectScan(scan, GetParam().served, random);
  });
}

TEST_P(ScansTest, ThrowsWhenARuntimeCallFails) {
  ExpectScan({lab::WithFailingCalls(scan.scan), scan.expected}, Numbers(some, 1));
}

TEST(InclusiveScanTileTest, ScansAWholeTile) {
  lab::Random random;
  ExpectScan(kInclusiveTile, kTile, random);
}

TEST(ExclusiveScanTileTest, ScansAWholeTile) {
  lab::Random random;
  ExpectScan(kExclusiveTile, kWideTile, random);
}

TEST_P(LongScansTest, ScansTenThousandValuesOfSeveralBlocks) {
  ExpectScan(scan, Numbers(10'000, 1));
}

// A scan that assumes a cleared workspace, or the contents left by its last call, fails.
TEST_P(LongScansTest, MakesNothingOfWhatTheWorkspaceHolds) {
  const auto with_workspace = GetParam().with_workspace;
  for (const std::uint64_t content :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x100000001},
        std::uint64_t{0x200000002}, std::uint64_t{0x0202020202020202}}) {
    SCOPED_TRACE("the workspace held " + std::to_string(content));
    ExpectScan(
        {[&](const Numbers& v, Numbers& s) { with_workspace(v, s, content); }, scan.expected},
        Numbers(5000, 3));
    if (HasFailure()) return;
  }
}

TEST_P(LongScansTest, ScansALargeInput) {
  lab::Random random;
  ExpectScan(scan, lab::Scaled(kLargeSize), random);
}

const Part kInclusiveTilePart{kInclusiveTile, kTile, 999, 1000};
const Part kExclusiveTilePart{kExclusiveTile, kWideTile, 1999, 2000};
const Part kExclusivePart{kExclusive, kLargeSize, 9001, 5000, Exclusive};
const Part kInclusivePart{kInclusive, kLargeSize, 9001, 5000, Inclusive};

INSTANTIATE_TEST_SUITE_P(InclusiveScanTileTest, ScansTest, testing::Values(kInclusiveTilePart));
INSTANTIATE_TEST_SUITE_P(ExclusiveScanTileTest, ScansTest, testing::Values(kExclusiveTilePart));
INSTANTIATE_TEST_SUITE_P(ExclusiveScanTest, ScansTest, testing::Values(kExclusivePart));
INSTANTIATE_TEST_SUITE_P(ExclusiveScanTest, LongScansTest, testing::Values(kExclusivePart));
INSTANTIATE_TEST_SUITE_P(InclusiveScanTest, ScansTest, testing::Values(kInclusivePart));
INSTANTIATE_TEST_SUITE_P(InclusiveScanTest, LongScansTest, testing::Values(kInclusivePart));

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
