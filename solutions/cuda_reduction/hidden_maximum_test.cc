// The hidden test of the lab "Reduction on a GPU": the maximum and where it first stands.

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_reduction/hidden_inputs.h"

namespace reduction_test::maximum_test {

constexpr std::size_t kLargeSize =
    5'000'000;  // more than a grid that fills a GPU takes in one round

constexpr std::int64_t Power(int exponent) { return std::int64_t{1} << exponent; }

const lab::Function<decltype(FirstMaximum)> first_maximum{"FirstMaximum"};

// As the contract says, one value after the other.
MaxLocation Expected(std::span<const float> values, std::int64_t first) {
  MaxLocation best{-kInfinity, first + static_cast<std::int64_t>(values.size())};
  bool found = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || (found && values[i] <= best.value)) continue;
    best = {values[i], first + static_cast<std::int64_t>(i)};
    found = true;
  }
  return best;
}

std::string Text(const MaxLocation& location) {
  return "{" + testing::PrintToString(location.value) + ", " + std::to_string(location.index) + "}";
}

// `before` is what the result held.
void ExpectLocation(const Floats& values, std::int64_t first, const MaxLocation& want,
                    const MaxLocation& before) {
  std::vector<MaxLocation> maximum{before};
  first_maximum(values, first, maximum);
  const MaxLocation& got = maximum[0];
  const bool written = !lab::IsPoison(got.value) || !lab::IsPoison(got.index);
  if (got.value == want.value && got.index == want.index) return;
  ADD_FAILURE() << "with n = " << values.size() << ", first = " << first << ": expected "
                << Text(want) << ", got "
                << (written ? Text(got) : "nothing: the result was never written");
}

void ExpectMaximum(const Floats& values, std::int64_t first = 0) {
  ExpectLocation(values, first, Expected(values, first), lab::Poisoned<MaxLocation>(1)[0]);
}

TEST(FirstMaximumTest, FindsTheLargestOfAThousandValues) {
  lab::Random random;
  ExpectMaximum(random.Floats(1000, -100, 100));
}

TEST(FirstMaximumTest, FindsTheLargestOfTenThousandValuesOfSeveralBlocks) {
  lab::Random random;
  ExpectMaximum(random.Floats(10'000, -100, 100));
}

TEST(FirstMaximumTest, FindsTheLargestOfNegativeValues) {
  lab::Random random;
  for (const std::size_t n : {1, 5, 31, 700, 5000}) ExpectMaximum(random.Floats(n, -9, -2));
}

TEST(FirstMaximumTest, FindsItAtWarpBlockAndTileEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    Floats values = random.Floats(n, -1, 1);
    ExpectMaximum(values);
    if (n == 0) continue;
    values[n - 1] = 2;
    ExpectMaximum(values);
    values[0] = 3;
    ExpectMaximum(values);
    if (HasFailure()) return;
  }
}

TEST(FirstMaximumTest, GivesTheFirstOfEqualMaxima) {
  lab::Random random;
  for (const std::size_t n : {2, 33, 1000, 9000}) ExpectMaximum(Floats(n, 7.0f));
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    // Few different values: hundreds of them are the largest.
    const std::size_t n = random.UniformInt<std::size_t>(2, 9000);
    Floats values(n);
    for (float& value : values) value = static_cast<float>(random.UniformInt(-8, 0));
    ExpectMaximum(values);
  }
}

TEST(FirstMaximumTest, GivesTheFirstOfTwoMaximaFarApart) {
  lab::Random random;
  for (const std::size_t apart : {1, 3, 31, 32, 33, 255, 256, 1023, 1024, 2047, 2048, 6000}) {
    Floats values = random.Floats(8200, -1, 1);
    const auto place = random.UniformInt<std::size_t>(0, values.size() - apart - 1);
    values[place] = values[place + apart] = 5;
    ExpectMaximum(values);
  }
}

TEST(FirstMaximumTest, FindsItInOrderedValues) {
  Floats values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 6000;
  ExpectMaximum(values);
  std::reverse(values.begin(), values.end());
  ExpectMaximum(values);
}

TEST(FirstMaximumTest, GivesIndicesBeyond32Bits) {
  lab::Random random;
  for (const std::int64_t first :
       {Power(0), Power(31) - 5, Power(31), Power(32) - 3, Power(40) + 7, Power(62)}) {
    ExpectMaximum(random.Floats(3000, -100, 100), first);
    ExpectMaximum(Floats(10, -1.0f), first);
  }
}

TEST(FirstMaximumTest, HasNoMaximumWithoutValues) {
  ExpectMaximum({});
  ExpectMaximum({}, 1'000'000'000'000);
}

TEST(FirstMaximumTest, DoesNotLookAtWhatIsNotANumber) {
  lab::Random random;
  ExpectMaximum({kNotANumber, 1, 2});
  ExpectMaximum({-1, kNotANumber});
  ExpectMaximum(Floats(1, kNotANumber), 40);
  ExpectMaximum(Floats(4000, kNotANumber), Power(33));
  Floats values = random.Floats(4000, -5, -1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 1024 < 600 || i % 3 == 0) values[i] = i % 2 == 0 ? kNotANumber : -kNotANumber;
  }
  ExpectMaximum(values);
}

TEST(FirstMaximumTest, TakesInfinitiesForValues) {
  ExpectMaximum(Floats(1, -kInfinity));
  ExpectMaximum(Floats(3000, -kInfinity), 17);
  ExpectMaximum({kNotANumber, -kInfinity, kNotANumber, -kInfinity});
  ExpectMaximum({1, kInfinity, 2, kInfinity});
  Floats values(3000, -kInfinity);
  values[2999] = std::numeric_limits<float>::lowest();
  ExpectMaximum(values);
}

TEST(FirstMaximumTest, TakesBothZerosForEqual) {
  ExpectMaximum({-1, -0.0f, 0.0f});
  ExpectMaximum({-1, 0.0f, -0.0f});
  Floats values(3000, -0.0f);
  for (std::size_t i = 5; i < values.size(); i += 3) values[i] = 0.0f;
  ExpectMaximum(values);
}

TEST(FirstMaximumTest, TellsTheSmallestNumbersApart) {
  const float smallest = std::numeric_limits<float>::denorm_min();
  ExpectMaximum({-smallest, 0, smallest, 2 * smallest, smallest});
  ExpectMaximum({-3 * smallest, -smallest, -2 * smallest});
  ExpectMaximum({1, 0x1.000002p0f, 1});
}

TEST(FirstMaximumTest, OverwritesWhatTheResultHeld) {
  lab::Random random;
  const Floats values = random.Floats(2500, -1, 1);
  const MaxLocation want = Expected(values, 0);
  ExpectLocation(values, 0, want, {kInfinity, 0});
  ExpectLocation(values, 0, want, {kNotANumber, -1});
  ExpectLocation(values, 0, want, {0, 0});
}

TEST(FirstMaximumTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectMaximum(random.Floats(9000, -50, 50), 0);
  });
}

TEST(FirstMaximumTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 30 && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto largest = static_cast<float>(40 - call);
    ExpectMaximum(random.Floats(random.UniformInt<std::size_t>(0, 9000), -50, largest), call);
  }
}

TEST(FirstMaximumTest, FindsItInALargeInput) {
  lab::Random random;
  Floats values = random.Floats(lab::Scaled(kLargeSize), -1, 1);
  ExpectMaximum(values);
  values.back() = 2;
  ExpectMaximum(values, Power(35));
  values[values.size() / 2] = 2;
  ExpectMaximum(values);
}

TEST(FirstMaximumTest, FindsItWhereAGridThatFillsAGpuEnds) {
  // An H100 holds 132 * 2048 threads: the place of the last one, with one value a thread and four.
  constexpr std::size_t kResident = 132 * 2048;
  for (const std::size_t place : {kResident - 1, 4 * kResident - 4}) {
    Floats values(lab::Scaled(kLargeSize), -1.0f);
    if (place < values.size()) values[place] = 1;
    ExpectMaximum(values);
  }
}

TEST(FirstMaximumTest, ThrowsWhenARuntimeCallFails) {
  std::vector<MaxLocation> maximum(1);
  lab::WithFailingCalls(first_maximum)(Floats{3, 1, 4, 1}, 0, maximum);
  EXPECT_EQ(Text(maximum[0]), Text({4, 2}));
}

// What the simulator counts, always with the same size: thresholds in lab.toml are on it.
TEST(FirstMaximumCounted, FindsTheLargestOfAMillionValues) {
  lab::Random random;
  ExpectMaximum(random.Floats((1 << 20) + 5, -1, 1));
}

// From -1 to 1, made faster than one by one. n is even.
Floats FastFloats(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (std::size_t i = 0; i < n; i += 2) {
    const std::uint64_t bits = random.Next();
    values[i] = 0x1p-31f * static_cast<float>(static_cast<std::int32_t>(bits));
    values[i + 1] = 0x1p-31f * static_cast<float>(static_cast<std::int32_t>(bits >> 32));
  }
  return values;
}

TEST(FirstMaximumTiming, FindsTheLargestOfTwoMillionValues) {
  const std::size_t n = lab::TimedSize(1 << 21, 1 << 26);
  const lab::Work work{1.0 * sizeof(float) * n, 1.0 * n};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Floats>(FastFloats(random, n));
    const MaxLocation want = Expected(*values, 3);
    return [values, want] { ExpectLocation(*values, 3, want, lab::Poisoned<MaxLocation>(1)[0]); };
  });
}

}  // namespace reduction_test::maximum_test
