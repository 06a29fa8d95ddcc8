// The public test: a few simple cases for each part. The grader tests more; reduction.h says what.

#include "labs/openmp_reduction/reduction.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

using Bins = std::array<std::uint32_t, kLetterGroups>;

const lab::Function<decltype(DotProduct)> dot_product{"DotProduct"};
const lab::Function<decltype(FirstMinimum)> first_minimum{"FirstMinimum"};
const lab::Function<decltype(LetterHistogram)> letter_histogram{"LetterHistogram"};

void ExpectMinimum(std::vector<float> values, float value, std::size_t index) {
  const MinLocation got = first_minimum(values);
  EXPECT_EQ(got.value, value);
  EXPECT_EQ(got.index, index);
}

void ExpectBins(std::string_view text, const Bins& want) {
  Bins bins;
  lab::Poison(std::span<std::uint32_t>(bins));
  letter_histogram(text, bins);
  lab::ExpectAllEqual(bins, want);
}

TEST(DotProductTest, MultipliesThreePairs) {
  EXPECT_EQ(dot_product(std::vector<float>{1, 2, 3}, std::vector<float>{4, 5, 6}), 32);
}

TEST(DotProductTest, GivesZeroForNoElements) {
  EXPECT_EQ(dot_product(std::vector<float>(), std::vector<float>()), 0);
}

TEST(DotProductTest, MultipliesAndAddsInDoublePrecision) {
  // 16777217 is not a float; in float the 1 would be lost.
  EXPECT_EQ(dot_product(std::vector<float>{16777216, 1}, std::vector<float>{1, 1}), 16777217);
}

TEST(DotProductTest, AddsManyProducts) {
  lab::Random random;
  std::vector<float> a(100'003);
  std::vector<float> b(100'003);
  double want = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(random.UniformInt(-100, 100));
    b[i] = static_cast<float>(random.UniformInt(-100, 100));
    want += static_cast<double>(a[i]) * b[i];
  }
  EXPECT_EQ(dot_product(a, b), want);
}

TEST(FirstMinimumTest, FindsTheSmallestValue) { ExpectMinimum({3, 1, 4, -1, 5}, -1, 3); }

TEST(FirstMinimumTest, GivesTheFirstOfEqualMinima) { ExpectMinimum({2, 1, 3, 1, 1}, 1, 1); }

TEST(FirstMinimumTest, SkipsNotANumber) {
  ExpectMinimum({std::numeric_limits<float>::quiet_NaN(), 7, 6}, 6, 2);
}

TEST(FirstMinimumTest, GivesInfinityAndTheSizeForNoValues) {
  ExpectMinimum({}, std::numeric_limits<float>::infinity(), 0);
}

TEST(FirstMinimumTest, FindsTheFirstMinimumOfManyValues) {
  lab::Random random;
  std::vector<float> values = random.Floats(100'003, 0, 1);
  values[70'000] = -1;
  values[70'001] = -1;
  ExpectMinimum(values, -1, 70'000);
}

TEST(LetterHistogramTest, CountsLettersInGroupsOfFour) {
  ExpectBins("abcdxyz", {4, 0, 0, 0, 0, 1, 2});
}

TEST(LetterHistogramTest, DoesNotCountWhatIsNoSmallLetter) {
  ExpectBins("One fine day, 12 {m}", {2, 3, 1, 3, 0, 0, 1});
}

TEST(LetterHistogramTest, CountsNothingInAnEmptyText) { ExpectBins("", {0, 0, 0, 0, 0, 0, 0}); }

TEST(LetterHistogramTest, CountsALongText) {
  lab::Random random;
  std::vector<char> text = random.Vector<char>(100'003, 'a', 'z');
  Bins want{};
  for (const char letter : text) ++want[(letter - 'a') / 4];
  ExpectBins({text.data(), text.size()}, want);
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(DotProductTest, ShowsHowParallelItIs) {
  const std::vector<float> ones(lab::Scaled(1 << 24), 1);
  lab::ShowParallelism(
      [&](int) { EXPECT_EQ(dot_product(ones, ones), static_cast<double>(ones.size())); });
}

TEST(FirstMinimumTest, ShowsHowParallelItIs) {
  const std::vector<float> ones(lab::Scaled(1 << 24), 1);
  lab::ShowParallelism([&](int) { ExpectMinimum(ones, 1, 0); });
}

TEST(LetterHistogramTest, ShowsHowParallelItIs) {
  const std::vector<char> text(lab::Scaled(1 << 24), 'm');
  const Bins want{0, 0, 0, static_cast<std::uint32_t>(text.size())};
  lab::ShowParallelism([&](int) { ExpectBins({text.data(), text.size()}, want); });
}

}  // namespace
