// Proves that inputs can be replayed and lie where they should, and the sizes and poison beside
// them.

#include "common/lab/testing/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "common/lab/call/run_settings.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/poison.h"

namespace {

std::uint64_t first_number_of_another_test = 0;

class RandomTest : public testing::Test {
 protected:
  RandomTest() { lab::SetRandomKey({42, 0}); }
};

// The published first block for a key of zeros, and the sixth: four blocks are drawn together, each
// value being a word of two of them.
TEST_F(RandomTest, IsChaChaWithEightRounds) {
  lab::Random random(0);
  std::array<std::uint64_t, 64> values;
  for (std::uint64_t& value : values) value = random.Next();
  EXPECT_EQ(static_cast<std::uint32_t>(values[0]), 0x2fef003eu);
  EXPECT_EQ(static_cast<std::uint32_t>(values[2]), 0xd6405f89u);
  EXPECT_EQ(static_cast<std::uint32_t>(values[4]), 0xe8b85b7fu);
  EXPECT_EQ(values[32] >> 32, 0x006d148cu);
  EXPECT_EQ(values[34] >> 32, 0xae1c2efeu);
}

TEST_F(RandomTest, ForksAStreamOfItsOwn) {
  lab::Random random(7);
  lab::Random again(7);
  lab::Random fork = random.Fork();
  EXPECT_EQ(fork.Next(), again.Fork().Next());
  EXPECT_NE(fork.Next(), random.Next());
}

TEST_F(RandomTest, GivesTheSameNumbersOnEveryMachine) {
  lab::Random random(7);
  EXPECT_EQ(random.UniformFloat(-1, 1), -0x1.64600cp-3f);
  EXPECT_EQ(random.UniformDouble(0, 100), 0x1.11f6129932f96p+1);
  EXPECT_EQ(random.UniformInt(1, 6), 3);
  std::vector<int> cards = {0, 1, 2, 3, 4, 5, 6, 7};
  random.Shuffle(cards);
  EXPECT_EQ(cards, (std::vector<int>{1, 6, 7, 3, 2, 0, 5, 4}));
}

TEST_F(RandomTest, RemembersItsFirstNumber) { first_number_of_another_test = lab::Random().Next(); }

TEST_F(RandomTest, DiffersBetweenTests) {
  EXPECT_NE(lab::Random().Next(), first_number_of_another_test);
}

TEST_F(RandomTest, DiffersBetweenTwoStreamsOfOneTest) {
  lab::Random first;
  lab::Random second;
  EXPECT_NE(first.Next(), second.Next());
}

TEST_F(RandomTest, DependsOnAllOfTheKey) {
  std::set<std::uint64_t> numbers;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    lab::SetRandomKey({seed, 0});
    numbers.insert(lab::Random().Next());
    lab::SetRandomKey({0, seed + 1});
    numbers.insert(lab::Random().Next());
  }
  EXPECT_EQ(numbers.size(), 200u);
}

TEST_F(RandomTest, CoversAClosedRangeOfWholeNumbersEvenly) {
  lab::Random random;
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts.at(random.UniformInt(-2, 3) + 2);
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST_F(RandomTest, CoversTheWholeRangeOfItsTypes) {
  lab::Random random;
  using Limits = std::numeric_limits<std::int64_t>;
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 64; ++i) {
    const auto value = random.UniformInt<std::int64_t>(Limits::min(), Limits::max());
    (value < 0 ? negative : positive) = true;
  }
  EXPECT_TRUE(negative && positive);
  std::set<int> bytes;
  for (int i = 0; i < 5000; ++i) bytes.insert(random.UniformInt<std::uint8_t>(0, 255));
  EXPECT_EQ(bytes.size(), 256u);
  EXPECT_EQ(random.UniformInt(5, 5), 5);
}

TEST_F(RandomTest, StaysBelowTheUpperEndOfARangeOfFloats) {
  lab::Random random;
  const float low = 1.0f;
  const float high = std::nextafter(low, 2.0f);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(random.UniformFloat(low, high), low);
  for (int i = 0; i < 1000; ++i) {
    const double value = random.UniformDouble(-3, 5);
    EXPECT_TRUE(value >= -3 && value < 5) << value;
  }
}

TEST_F(RandomTest, FillsVectorsOfEveryType) {
  lab::Random random;
  EXPECT_TRUE(random.Floats(0, 0, 1).empty());
  EXPECT_EQ(random.Doubles(3, 0, 1).size(), 3u);
  const auto letters = random.Vector<char>(1000, 'a', 'z');
  EXPECT_TRUE(std::ranges::all_of(letters, [](char c) { return c >= 'a' && c <= 'z'; }));
}

TEST_F(RandomTest, FillsManyValuesAtOnce) {
  lab::Random random;
  const auto bytes = random.AnyBits<std::uint8_t>(5003);
  EXPECT_EQ(std::set(bytes.begin(), bytes.end()).size(), 256u);
  EXPECT_NE(bytes[5000], bytes[5001] | bytes[5002]);  // the last ones are no zeros
  const std::vector<float> numbers = random.SmallNumbers(100003, -2048);
  const auto [least, most] = std::ranges::minmax(numbers);
  EXPECT_EQ(least, -2048);
  EXPECT_EQ(most, 2047);
  EXPECT_GT(std::set(numbers.begin(), numbers.end()).size(), 4090u);
}

TEST_F(RandomTest, ShuffleKeepsEveryElement) {
  lab::Random random;
  std::vector<int> cards(52);
  for (int i = 0; i < 52; ++i) cards[i] = i;
  std::vector<int> shuffled = cards;
  random.Shuffle(shuffled);
  EXPECT_NE(shuffled, cards);
  std::ranges::sort(shuffled);
  EXPECT_EQ(shuffled, cards);
}

TEST_F(RandomTest, RefusesEmptyAndEndlessRanges) {
  lab::Random random;
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(random.UniformInt(1, 0), std::invalid_argument);
  EXPECT_THROW(random.UniformFloat(1, 1), std::invalid_argument);
  EXPECT_THROW(random.UniformDouble(0, infinity), std::invalid_argument);
  EXPECT_THROW(random.UniformDouble(nan, 1), std::invalid_argument);
}

TEST(EdgeSizesTest, AscendAndStandAroundTheWidth) {
  EXPECT_EQ(lab::EdgeSizes(1), (std::vector<std::size_t>{0, 1, 2, 3, 6}));
  EXPECT_EQ(lab::EdgeSizes(32),
            (std::vector<std::size_t>{0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 177}));
  EXPECT_THROW(lab::EdgeSizes(0), std::invalid_argument);
}

TEST(ScaledTest, DividesAndRoundsUpButKeepsZero) {
  lab::SetScaleDivisor(16);
  EXPECT_EQ(lab::Scaled(0), 0u);
  EXPECT_EQ(lab::Scaled(1), 1u);
  EXPECT_EQ(lab::Scaled(16), 1u);
  EXPECT_EQ(lab::Scaled(17), 2u);
  EXPECT_EQ(lab::Scaled(std::numeric_limits<std::size_t>::max()), std::size_t{1} << 60);
  EXPECT_TRUE(lab::IsScaled());
  EXPECT_TRUE(lab::TakeScaled());
  EXPECT_FALSE(lab::TakeScaled());
  lab::SetScaleDivisor(1);
  EXPECT_FALSE(lab::IsScaled());
  EXPECT_EQ(lab::Scaled(1000), 1000u);
  EXPECT_THROW(lab::SetScaleDivisor(0), std::invalid_argument);
}

TEST(PoisonTest, IsNotANumberWhereThereIsOne) {
  EXPECT_TRUE(std::isnan(lab::Poisoned<float>(1)[0]));
  EXPECT_TRUE(std::isnan(lab::Poisoned<double>(1)[0]));
  EXPECT_EQ(lab::Poisoned<unsigned>(1)[0], 0xa5a5a5a5u);
  EXPECT_EQ(lab::Poisoned<std::uint8_t>(1)[0], 0xa5);
}

TEST(PoisonTest, TellsItsOwnNaNFromACalculatedOne) {
  EXPECT_TRUE(lab::IsPoison(lab::Poisoned<float>(1)[0]));
  EXPECT_TRUE(lab::IsPoison(lab::Poisoned<double>(1)[0]));
  EXPECT_FALSE(lab::IsPoison(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(lab::IsPoison(std::sqrt(-1.0)));
  EXPECT_FALSE(lab::IsPoison(0));
}

}  // namespace
