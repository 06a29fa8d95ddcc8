// The hidden test of the lab "Reduction on a GPU": the sums. That of the maximum is in
// hidden_maximum_test.cc.
//
// Most sums are of whole numbers that no addition rounds, so that one right answer exists, whatever
// the order. Each part starts with a thousand values, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include <memory>

#include "common/lab/callers.h"
#include "common/lab/function.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
#include "common/lab/with_failing_calls.h"
#include "solutions/cuda_reduction/hidden_inputs.h"

namespace reduction_test {
namespace {

constexpr std::size_t kLargeSize =
    5'000'000;  // more than a grid that fills a GPU takes in one round

const lab::Function<decltype(SumTile)> sum_tile{"SumTile"};
const lab::Function<decltype(Sum)> sum{"Sum"};
const lab::Function<decltype(SumCoarsened)> sum_coarsened{"SumCoarsened"};

const Adder kTileSum{sum_tile, [](std::size_t) { return kTile; }};
const Adder kSum{sum, [](std::size_t n) { return n / 64 + 1024; }};
const Adder kCoarsenedSum{sum_coarsened, kSum.depth};

void ExpectSizes(const Adder& adder, std::size_t largest) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    if (n > largest) break;
    ExpectSum(adder, n, random);
    if (testing::Test::HasFailure()) return;
  }
}

// Puts `special` at the first, the last and a random place of n ones.
void ExpectSpecial(const Adder& adder, std::size_t n, float special, float want) {
  lab::Random random;
  for (const std::size_t place :
       {std::size_t{0}, n - 1, random.UniformInt<std::size_t>(0, n - 1)}) {
    SCOPED_TRACE(std::to_string(special) + " as element " + std::to_string(place));
    Floats values(n, 1.0f);
    values[place] = special;
    ExpectResult(adder, values, {want, 0});
  }
}

void ExpectIeee754(const Adder& adder, std::size_t n) {
  ExpectSpecial(adder, n, kNotANumber, kNotANumber);
  ExpectSpecial(adder, n, kInfinity, kInfinity);
  ExpectSpecial(adder, n, -kInfinity, -kInfinity);
  Floats both(n, 1.0f);
  both[n / 3] = kInfinity;
  both[n - 1] = -kInfinity;
  ExpectResult(adder, both, {kNotANumber, 0});
  ExpectSum(adder, Floats(n, -0.0f));
  // Multiples of the smallest normal number: their sums are exact, too.
  const Floats smallest(n, 3 * std::numeric_limits<float>::min());
  ExpectResult(adder, smallest, {3.0 * static_cast<double>(n) * 0x1p-126, 0});
}

// Values of one sign, of both, and of very different sizes.
void ExpectWithinTheBound(const Adder& adder, std::size_t n) {
  lab::Random random;
  ExpectSum(adder, random.Floats(n, 0, 1));
  ExpectSum(adder, random.Floats(n, -1e30f, 1e30f));
  Floats mixed = random.Floats(n, -1, 1);
  for (float& value : mixed) value = std::ldexp(value, random.UniformInt(-60, 20));
  ExpectSum(adder, mixed);
}

// Added one by one to the large value, the ones would be lost.
void ExpectNoLongChain(const Adder& adder, std::size_t n) {
  Floats values(n, 1.0f);
  values[0] = 0x1p24f;
  ExpectSum(adder, values);
}

// What the result held must not matter, and 0 is no special case of it.
void ExpectOverwritten(const Adder& adder, std::size_t n) {
  const Floats ones(n, 1.0f);
  for (const float before : {1000.0f, 0.0f, kInfinity}) {
    SCOPED_TRACE("the result held " + std::to_string(before));
    ExpectResult(adder, ones, {static_cast<double>(n), 0}, before);
  }
}

void ExpectServed(const Adder& adder, std::size_t n) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSum(adder, n, random);
  });
}

void ExpectIndependentCalls(const Adder& adder, std::size_t largest) {
  lab::Random random;
  for (int call = 0; call < 30; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectSum(adder, random.UniformInt<std::size_t>(0, largest), random);
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectFailuresReported(const Adder& adder) {
  lab::Random random;
  ExpectSum({lab::WithFailingCalls(adder.add), adder.depth}, 1000, random);
}

void ExpectThousand(const Adder& adder) {
  lab::Random random;
  ExpectSum(adder, 1000, random);
}

void ExpectNothing(const Adder& adder) { ExpectResult(adder, {}, {0, 0}); }

void ExpectLarge(const Adder& adder) {
  lab::Random random;
  ExpectSum(adder, lab::Scaled(kLargeSize), random);
  ExpectSum(adder, lab::Scaled(kLargeSize / 3) + 1, random);
}

TEST(SumTileTest, AddsAThousandValues) { ExpectThousand(kTileSum); }

TEST(SumTileTest, AddsAWholeTile) {
  lab::Random random;
  ExpectSum(kTileSum, kTile, random);
}

TEST(SumTileTest, AddsAnyNumberOfValuesUpToTwoWarps) {
  lab::Random random;
  for (std::size_t n = 0; n <= 66 && !HasFailure(); ++n) ExpectSum(kTileSum, n, random);
}

TEST(SumTileTest, AddsAnyNumberOfValuesUpToATile) { ExpectSizes(kTileSum, kTile); }

TEST(SumTileTest, GivesZeroForNoValues) { ExpectNothing(kTileSum); }

TEST(SumTileTest, OverwritesWhatTheResultHeld) { ExpectOverwritten(kTileSum, 100); }

TEST(SumTileTest, FollowsIeee754ForSpecialValues) { ExpectIeee754(kTileSum, 333); }

TEST(SumTileTest, StaysWithinTheErrorBound) { ExpectWithinTheBound(kTileSum, 1999); }

TEST(SumTileTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kTileSum, 1000); }

TEST(SumTileTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(kTileSum, kTile); }

TEST(SumTileTest, ThrowsWhenARuntimeCallFails) { ExpectFailuresReported(kTileSum); }

TEST(SumTest, AddsAThousandValues) { ExpectThousand(kSum); }

TEST(SumTest, AddsTenThousandValuesOfSeveralBlocks) {
  lab::Random random;
  ExpectSum(kSum, 10'000, random);
}

TEST(SumTest, AddsEveryValueAtWarpBlockAndTileEdges) { ExpectSizes(kSum, kLargeSize); }

TEST(SumTest, GivesZeroForNoValues) { ExpectNothing(kSum); }

TEST(SumTest, OverwritesWhatTheResultHeld) { ExpectOverwritten(kSum, 5000); }

TEST(SumTest, FollowsIeee754ForSpecialValues) { ExpectIeee754(kSum, 5001); }

TEST(SumTest, StaysWithinTheErrorBound) { ExpectWithinTheBound(kSum, 9999); }

TEST(SumTest, LosesNoSmallValuesBesideALargeOne) {
  ExpectNoLongChain(kSum, lab::Scaled(100'000) + 1);
}

TEST(SumTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(kSum, 5000); }

TEST(SumTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(kSum, 9000); }

TEST(SumTest, AddsALargeInput) { ExpectLarge(kSum); }

TEST(SumTest, ThrowsWhenARuntimeCallFails) { ExpectFailuresReported(kSum); }

TEST(SumCoarsenedTest, AddsAThousandValues) { ExpectThousand(kCoarsenedSum); }

TEST(SumCoarsenedTest, AddsTenThousandValuesOfSeveralBlocks) {
  lab::Random random;
  ExpectSum(kCoarsenedSum, 10'000, random);
}

TEST(SumCoarsenedTest, AddsAnyNumberOfValuesUpToTwoWarps) {
  lab::Random random;
  for (std::size_t n = 0; n <= 66 && !HasFailure(); ++n) ExpectSum(kCoarsenedSum, n, random);
}

TEST(SumCoarsenedTest, AddsEveryValueAtWarpBlockAndTileEdges) {
  ExpectSizes(kCoarsenedSum, kLargeSize);
}

TEST(SumCoarsenedTest, GivesZeroForNoValues) { ExpectNothing(kCoarsenedSum); }

TEST(SumCoarsenedTest, OverwritesWhatTheResultHeld) { ExpectOverwritten(kCoarsenedSum, 5000); }

TEST(SumCoarsenedTest, FollowsIeee754ForSpecialValues) { ExpectIeee754(kCoarsenedSum, 5001); }

TEST(SumCoarsenedTest, StaysWithinTheErrorBound) { ExpectWithinTheBound(kCoarsenedSum, 9999); }

TEST(SumCoarsenedTest, LosesNoSmallValuesBesideALargeOne) {
  ExpectNoLongChain(kCoarsenedSum, lab::Scaled(100'000) + 1);
}

TEST(SumCoarsenedTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  ExpectServed(kCoarsenedSum, 50000);
}

TEST(SumCoarsenedTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(kCoarsenedSum, 9000);
}

TEST(SumCoarsenedTest, AddsALargeInput) { ExpectLarge(kCoarsenedSum); }

TEST(SumCoarsenedTest, ThrowsWhenARuntimeCallFails) { ExpectFailuresReported(kCoarsenedSum); }

// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these.
TEST(SumTileCounted, AddsAWholeTile) {
  lab::Random random;
  ExpectSum(kTileSum, kTile, random);
}

TEST(SumCounted, AddsAQuarterOfAMillionValues) {
  lab::Random random;
  ExpectSum(kSum, (1 << 18) + 5, random);
}

TEST(SumCoarsenedCounted, AddsAMillionValues) {
  lab::Random random;
  ExpectSum(kCoarsenedSum, (1 << 20) + 5, random);
}

// Whole numbers from 0 to 3, made faster than one by one.
Floats FastWholeNumbers(lab::Random& random, std::size_t n) {
  Floats values(n);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i, bits >>= 2) {
    if (i % 32 == 0) bits = random.Next();
    values[i] = static_cast<float>(bits & 3);
  }
  return values;
}

TEST(SumCoarsenedTiming, AddsFourMillionValues) {
  const std::size_t n = lab::TimedSize(1 << 22, 1 << 26);
  const lab::Work work{1.0 * sizeof(float) * n, 1.0 * n};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Floats>(FastWholeNumbers(random, n));
    const ExpectedSum want = Expected(*values, kCoarsenedSum.depth(n));
    return [values, want] { ExpectResult(kCoarsenedSum, *values, want); };
  });
}

}  // namespace
}  // namespace reduction_test
