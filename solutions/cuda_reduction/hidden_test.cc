// The hidden test of the lab "Reduction on a GPU": the sums. That of the maximum is in
// hidden_maximum_test.cc.
//
// Most sums are of whole numbers that no addition rounds, so that one right answer exists, whatever
// the order. Each part starts with a thousand values, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include <memory>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/lab/testing/with_failing_calls.h"
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

// A part, and sizes for it.
struct Part {
  Adder adder;
  std::size_t largest;
  std::size_t some;    // nearly a tile, or several blocks
  std::size_t served;  // of each of several callers
};

// All parts have the same contract.
struct SumsTest : testing::TestWithParam<Part> {
  const Adder& adder = GetParam().adder;
  const std::size_t largest = GetParam().largest;
  const std::size_t some = GetParam().some;
  lab::Random random;
};

// The parts that add more than a tile.
struct LongSumsTest : SumsTest {};

TEST_P(SumsTest, AddsAThousandValues) { ExpectSum(adder, 1000, random); }

TEST_P(SumsTest, AddsAnyNumberOfValuesUpToTwoWarps) {
  for (std::size_t n = 0; n <= 66 && !HasFailure(); ++n) ExpectSum(adder, n, random);
}

TEST_P(SumsTest, AddsEveryValueAtWarpBlockAndTileEdges) {
  for (const std::size_t n : Sizes()) {
    if (n > largest) break;
    ExpectSum(adder, n, random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(SumsTest, GivesZeroForNoValues) { ExpectResult(adder, {}, {0, 0}); }

// The old result must not matter, nor be treated specially if it is 0.
TEST_P(SumsTest, OverwritesWhatTheResultHeld) {
  const Floats ones(some, 1.0f);
  for (const float before : {1000.0f, 0.0f, kInfinity}) {
    SCOPED_TRACE("the result held " + std::to_string(before));
    ExpectResult(adder, ones, {static_cast<double>(some), 0}, before);
  }
}

TEST_P(SumsTest, FollowsIeee754ForSpecialValues) {
  ExpectSpecial(adder, some, kNotANumber, kNotANumber);
  ExpectSpecial(adder, some, kInfinity, kInfinity);
  ExpectSpecial(adder, some, -kInfinity, -kInfinity);
  Floats both(some, 1.0f);
  both[some / 3] = kInfinity;
  both[some - 1] = -kInfinity;
  ExpectResult(adder, both, {kNotANumber, 0});
  ExpectSum(adder, Floats(some, -0.0f));
  // Multiples of the smallest normal number: their sums are exact, too.
  const Floats smallest(some, 3 * std::numeric_limits<float>::min());
  ExpectResult(adder, smallest, {3.0 * static_cast<double>(some) * 0x1p-126, 0});
}

// Values of one sign, of both, and of very different sizes.
TEST_P(SumsTest, StaysWithinTheErrorBound) {
  ExpectSum(adder, random.Floats(some, 0, 1));
  ExpectSum(adder, random.Floats(some, -1e30f, 1e30f));
  Floats mixed = random.Floats(some, -1, 1);
  for (float& value : mixed) value = std::ldexp(value, random.UniformInt(-60, 20));
  ExpectSum(adder, mixed);
}

TEST_P(SumsTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSum(adder, GetParam().served, random);
  });
}

TEST_P(SumsTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 30; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectSum(adder, random.UniformInt<std::size_t>(0, some), random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(SumsTest, ThrowsWhenARuntimeCallFails) {
  ExpectSum({lab::WithFailingCalls(adder.add), adder.depth}, 1000, random);
}

TEST(SumTileTest, AddsAWholeTile) {
  lab::Random random;
  ExpectSum(kTileSum, kTile, random);
}

TEST_P(LongSumsTest, AddsTenThousandValuesOfSeveralBlocks) { ExpectSum(adder, 10'000, random); }

// Added one by one to the large value, the ones would be lost.
TEST_P(LongSumsTest, LosesNoSmallValuesBesideALargeOne) {
  Floats values(lab::Scaled(100'000) + 1, 1.0f);
  values[0] = 0x1p24f;
  ExpectSum(adder, values);
}

TEST_P(LongSumsTest, AddsALargeInput) {
  ExpectSum(adder, lab::Scaled(kLargeSize), random);
  ExpectSum(adder, lab::Scaled(kLargeSize / 3) + 1, random);
}

const Part kTilePart{kTileSum, kTile, 1999, 1000};
const Part kPart{kSum, kLargeSize, 9999, 5000};
const Part kCoarsenedPart{kCoarsenedSum, kLargeSize, 9999, 50'000};

INSTANTIATE_TEST_SUITE_P(SumTileTest, SumsTest, testing::Values(kTilePart));
INSTANTIATE_TEST_SUITE_P(SumTest, SumsTest, testing::Values(kPart));
INSTANTIATE_TEST_SUITE_P(SumTest, LongSumsTest, testing::Values(kPart));
INSTANTIATE_TEST_SUITE_P(SumCoarsenedTest, SumsTest, testing::Values(kCoarsenedPart));
INSTANTIATE_TEST_SUITE_P(SumCoarsenedTest, LongSumsTest, testing::Values(kCoarsenedPart));

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
