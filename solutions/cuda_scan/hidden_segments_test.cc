// The hidden test of the lab "Scan on a GPU": the scan of segments.

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_scan/hidden_inputs.h"

namespace scan_test {
namespace {

using Flags = std::vector<std::uint8_t>;

const lab::Function<decltype(SegmentedScan)> segmented_scan{"SegmentedScan"};

Numbers SegmentedSums(const Numbers& values, const Flags& flags) {
  Numbers sums(values.size());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum = flags[i] != 0 ? values[i] : sum + values[i];
    sums[i] = sum;
  }
  return sums;
}

void ExpectSums(const Numbers& values, const Flags& flags, const Numbers& want,
                std::uint64_t content = lab::PoisonValue<std::uint64_t>(),
                std::uint32_t before = lab::PoisonValue<std::uint32_t>()) {
  Numbers sums(values.size(), before);
  std::vector<std::uint64_t> workspace = AnyWorkspace(values.size(), content);
  segmented_scan(values, flags, sums, workspace);
  SCOPED_TRACE("with n = " + std::to_string(values.size()));
  lab::ExpectAllEqual(sums, want);
}

void ExpectSegmented(const Numbers& values, const Flags& flags) {
  ExpectSums(values, flags, SegmentedSums(values, flags));
}

// Flags at these places, of n.
Flags FlagsAt(std::size_t n, std::initializer_list<std::size_t> places) {
  Flags flags(n, 0);
  for (const std::size_t place : places) {
    if (place < n) flags[place] = 1;
  }
  return flags;
}

// One flag in `every`, at random places; a set flag is any number but 0.
Flags RandomFlags(lab::Random& random, std::size_t n, std::size_t every) {
  Flags flags(n, 0);
  for (std::uint8_t& flag : flags) {
    if (random.UniformInt<std::size_t>(0, every - 1) > 0) continue;
    flag = static_cast<std::uint8_t>(random.UniformInt(1, 255));
  }
  return flags;
}

TEST(SegmentedScanTest, ScansSegmentsOfAThousandValues) {
  ExpectSegmented(Numbers(1000, 1), FlagsAt(1000, {0, 10, 11, 12, 100, 700}));
}

TEST(SegmentedScanTest, ScansSegmentsOfSeveralBlocks) {
  ExpectSegmented(Numbers(10'000, 1), FlagsAt(10'000, {5, 2999, 3000, 7000}));
}

TEST(SegmentedScanTest, ScansOneSegmentOfAllValues) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    ExpectSegmented(AnyNumbers(random, n), Flags(n, 0));
    if (HasFailure()) return;
  }
}

TEST(SegmentedScanTest, ScansRandomSegmentsAtWarpBlockAndTileEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    const auto every = random.UniformInt<std::size_t>(1, n / 2 + 2);
    ExpectSegmented(AnyNumbers(random, n), RandomFlags(random, n, every));
    if (HasFailure()) return;
  }
}

TEST(SegmentedScanTest, ScansAnyNumberOfValuesUpToTwoWarps) {
  lab::Random random;
  for (std::size_t n = 0; n <= 66 && !HasFailure(); ++n) {
    ExpectSegmented(AnyNumbers(random, n), RandomFlags(random, n, 7));
  }
}

TEST(SegmentedScanTest, ScansSegmentsOfOneValueEach) {
  lab::Random random;
  for (const std::size_t n : {1, 33, 1025, 5000}) {
    ExpectSegmented(AnyNumbers(random, n), Flags(n, 1));
  }
}

TEST(SegmentedScanTest, ScansSegmentsOfAllLengthsAtOnce) {
  lab::Random random;
  for (const std::size_t every : {2, 5, 40, 300, 1500, 6000}) {
    const std::size_t n = 12'345;
    ExpectSegmented(AnyNumbers(random, n), RandomFlags(random, n, every));
  }
}

// A segment that begins or ends at the edge of a tile, or one place before or behind it.
TEST(SegmentedScanTest, ScansSegmentsThatBeginAtTheEdgesOfTiles) {
  lab::Random random;
  for (const std::size_t edge : {32, 128, 256, 512, 1024, 2048, 4096, 8192}) {
    for (const std::size_t place : {edge - 1, edge, edge + 1}) {
      ExpectSegmented(AnyNumbers(random, 9000), FlagsAt(9000, {place}));
    }
    ExpectSegmented(AnyNumbers(random, 9000), FlagsAt(9000, {edge - 1, edge, edge + 1}));
    if (HasFailure()) return;
  }
}

// Many tiles without a flag between two that have one.
TEST(SegmentedScanTest, CarriesASegmentThroughManyTiles) {
  lab::Random random;
  const std::size_t n = 40'000;
  ExpectSegmented(AnyNumbers(random, n), FlagsAt(n, {1}));
  ExpectSegmented(AnyNumbers(random, n), FlagsAt(n, {1023, 38'000}));
  ExpectSegmented(AnyNumbers(random, n), FlagsAt(n, {20'480}));
  ExpectSegmented(AnyNumbers(random, n), FlagsAt(n, {n - 1}));
}

TEST(SegmentedScanTest, TakesAnyNumberButZeroForAFlag) {
  lab::Random random;
  for (const int flag : {1, 2, 16, 128, 255}) {
    Flags flags(3000, 0);
    for (std::size_t i = 3; i < flags.size(); i += 77) flags[i] = static_cast<std::uint8_t>(flag);
    ExpectSegmented(AnyNumbers(random, flags.size()), flags);
  }
}

// A flag may stand at a value of 0, and a sum of 0 is no sign that a segment has begun.
TEST(SegmentedScanTest, TellsFlagsFromValues) {
  lab::Random random;
  const Flags flags = RandomFlags(random, 5000, 50);
  ExpectSegmented(Numbers(5000, 0), flags);
  ExpectSegmented(Numbers(5000, 0x80000000), flags);
  ExpectSegmented(Numbers(5000, 0xffffffff), flags);
}

TEST(SegmentedScanTest, OverwritesWhatTheSumsHeld) {
  lab::Random random;
  const Numbers values = AnyNumbers(random, 5000);
  const Flags flags = RandomFlags(random, 5000, 400);
  for (const std::uint32_t before : {0u, 1u, 0xffffffffu}) {
    ExpectSums(values, flags, SegmentedSums(values, flags), 7, before);
  }
}

TEST(SegmentedScanTest, MakesNothingOfWhatTheWorkspaceHolds) {
  lab::Random random;
  for (const std::uint64_t content : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1},
                                      std::uint64_t{0x100000001}, std::uint64_t{0x200000002}}) {
    const Numbers values = AnyNumbers(random, 9000);
    const Flags flags = RandomFlags(random, 9000, 2500);
    ExpectSums(values, flags, SegmentedSums(values, flags), content);
  }
}

TEST(SegmentedScanTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 12 && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto n = random.UniformInt<std::size_t>(0, 9000);
    ExpectSegmented(AnyNumbers(random, n), RandomFlags(random, n, 30 * (call + 1)));
  }
}

TEST(SegmentedScanTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSegmented(AnyNumbers(random, 5000), RandomFlags(random, 5000, 900));
  });
}

TEST(SegmentedScanTest, ScansALargeInput) {
  lab::Random random;
  const std::size_t n = lab::Scaled(kLargeSize);
  ExpectSegmented(AnyNumbers(random, n), RandomFlags(random, n, 30'000));
  ExpectSegmented(AnyNumbers(random, n), FlagsAt(n, {n / 8, n - 3}));
}

TEST(SegmentedScanTest, ThrowsWhenARuntimeCallFails) {
  const Numbers ones(10'000, 1);
  const Flags flags = FlagsAt(ones.size(), {5, 2999, 3000, 7000});
  Numbers sums(ones.size());
  std::vector<std::uint64_t> workspace = AnyWorkspace(ones.size(), 0);
  lab::WithFailingCalls(segmented_scan)(ones, flags, sums, workspace);
  EXPECT_EQ(sums, SegmentedSums(ones, flags));
}

// What the simulator counts, always with the same size: thresholds in lab.toml are on it.
TEST(SegmentedScanCounted, ScansAQuarterOfAMillionValues) {
  lab::Random random;
  const std::size_t n = (1 << 18) + 5;
  Flags flags(n, 0);
  for (std::size_t i = 0; i < n; i += 700) flags[i] = 1;
  ExpectSegmented(AnyNumbers(random, n), flags);
}

TEST(SegmentedScanTiming, ScansAMillionValues) {
  const std::size_t n = lab::TimedSize(1 << 20, 1 << 25);
  const lab::Work work{(2.0 * sizeof(std::uint32_t) + sizeof(Flags::value_type)) * n, 1.0 * n};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Numbers>(AnyNumbers(random, n));
    const auto flags = std::make_shared<Flags>(n, 0);
    for (std::size_t i = 0; i < n; i += random.UniformInt<std::size_t>(1, 3000)) (*flags)[i] = 1;
    const auto want = std::make_shared<Numbers>(SegmentedSums(*values, *flags));
    return [values, flags, want] { ExpectSums(*values, *flags, *want); };
  });
}

}  // namespace
}  // namespace scan_test
