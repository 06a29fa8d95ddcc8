// The hidden test of the lab "Reduction with OpenMP".

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/callers.h"
#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"
#include "common/lab/sizes.h"
#include "common/lab/team_size.h"
#include "common/lab/timed_pairs.h"
#include "labs/openmp_reduction/reduction.h"

namespace {

using Bins = std::array<std::uint32_t, kLetterGroups>;
using Floats = std::vector<float>;
using Text = std::vector<char>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kFloatsPerCacheLine = 64 / sizeof(float);
constexpr std::size_t kFloatsPerPage = 4096 / sizeof(float);
constexpr int kMaxThreads = 8;
constexpr std::size_t kLargeSize = 1 << 19;

const lab::Function<decltype(DotProduct)> dot_product{"DotProduct"};
const lab::Function<decltype(FirstMinimum)> first_minimum{"FirstMinimum"};
const lab::Function<decltype(LetterHistogram)> letter_histogram{"LetterHistogram"};

// Sizes at which shares of one to eight threads, cache lines and pages begin and end.
std::set<std::size_t> Sizes(std::size_t elements_per_line, std::size_t elements_per_page) {
  std::set<std::size_t> sizes{elements_per_page - 1, elements_per_page, elements_per_page + 1};
  for (int n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.insert(n);
  for (const std::size_t n : lab::EdgeSizes(elements_per_line)) sizes.insert(n);
  return sizes;
}

std::set<std::size_t> FloatSizes() { return Sizes(kFloatsPerCacheLine, kFloatsPerPage); }

// Calls `check` for each size of a team that a laptop may have.
void ForEachTeam(const std::function<void(const std::string&)>& check) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    ASSERT_NO_FATAL_FAILURE(check("a team of " + std::to_string(threads)));
  }
}

std::string Case(std::size_t n) { return "with n = " + std::to_string(n); }

// Whole numbers. All products and sums of them here are below 2^53, so exact in any order.
Floats WholeNumbers(lab::Random& random, std::size_t n, int largest) {
  Floats values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-largest, largest));
  return values;
}

struct ExpectedSum {
  double value;
  double tolerance;
};

// The dot product, and by how much n - 1 additions in double, in any order, may miss it:
// (n - 1) u sum |a b| to first order with u = 2^-53 (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 3.1); the products are exact. One n u sum |a b| more covers the
// second order, and this function's own rounding in long double.
ExpectedSum ExpectDot(std::span<const float> a, std::span<const float> b) {
  long double sum = 0;
  long double absolute = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
    sum += product;
    absolute += std::abs(product);
  }
  const double n = static_cast<double>(a.size());
  return {static_cast<double>(sum), 2 * n * 0x1p-53 * static_cast<double>(absolute)};
}

// Sums in order; exact where the inputs are whole numbers.
double ExactDot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

TEST(DotProductTest, AddsEveryProductOnceAtSharePageAndCacheLineEdges) {
  lab::Random random;
  for (const std::size_t n : FloatSizes()) {
    const Floats a = WholeNumbers(random, n, 1 << 20);
    const Floats b = WholeNumbers(random, n, 1 << 20);
    ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << Case(n);
  }
}

TEST(DotProductTest, AddsEveryProductOnceWithEveryTeam) {
  lab::Random random;
  const Floats a = WholeNumbers(random, 1003, 1 << 20);
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 1003}) {
      const std::span values(a.data(), n);
      ASSERT_EQ(dot_product(values, values), ExactDot(values, values)) << Case(n) << ", " << team;
    }
  });
}

TEST(DotProductTest, MultipliesAVectorWithItself) {
  lab::Random random;
  const Floats a = WholeNumbers(random, 1000, 1 << 20);
  EXPECT_EQ(dot_product(a, a), ExactDot(a, a));
}

TEST(DotProductTest, KeepsEveryBitOfAProduct) {
  // (2^23 + 1)^2 and (2^24 - 1)^2 need 47 and 48 bits, twice what a float has.
  EXPECT_EQ(dot_product(Floats{0x1p23f + 1}, Floats{0x1p23f + 1}), 0x1p46 + 0x1p24 + 1);
  EXPECT_EQ(dot_product(Floats{0x1p24f - 1}, Floats{0x1p24f - 1}), 0x1p48 - 0x1p25 + 1);
}

TEST(DotProductTest, KeepsSmallProductsThatCancellingLargeOnesSurround) {
  lab::Random random;
  for (int round = 0; round < 10; ++round) {
    Floats a = WholeNumbers(random, 1024, 100);
    const Floats ones(1024, 1.0f);
    for (std::size_t i = 0; i < 128; ++i) a[8 * i + round % 8] = i % 2 == 0 ? 0x1p40f : -0x1p40f;
    random.Shuffle(a);
    EXPECT_EQ(dot_product(a, ones), ExactDot(a, ones));
  }
}

TEST(DotProductTest, StaysWithinTheRoundingBoundOfItsAdditions) {
  lab::Random random;
  for (const std::size_t n : {std::size_t{100}, lab::Scaled(1 << 17)}) {
    Floats a(n);
    Floats b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
      b[i] = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
    }
    const ExpectedSum want = ExpectDot(a, b);
    EXPECT_NEAR(dot_product(a, b), want.value, want.tolerance) << Case(n);
  }
}

TEST(DotProductTest, NeitherOverflowsNorUnderflowsWhereFloatWould) {
  const Floats largest(100, std::numeric_limits<float>::max());
  const double square = static_cast<double>(largest[0]) * largest[0];
  EXPECT_NEAR(dot_product(largest, largest), 100 * square, 200 * 0x1p-53 * 100 * square);
  const Floats smallest(64, std::numeric_limits<float>::min());
  EXPECT_EQ(dot_product(smallest, smallest), 64 * std::pow(2.0, -252));
}

TEST(DotProductTest, FollowsIeee754ForNotANumberAndInfinity) {
  const Floats ones(100, 1.0f);
  for (const std::size_t place : {0, 1, 33, 49, 50, 98, 99}) {
    Floats a(100, 1.0f);
    a[place] = kNotANumber;
    EXPECT_TRUE(std::isnan(dot_product(a, ones))) << "NaN at " << place;
    EXPECT_TRUE(std::isnan(dot_product(ones, a))) << "NaN at " << place;
    a[place] = -kInfinity;
    EXPECT_EQ(dot_product(a, ones), -kInfinity) << "-infinity at " << place;
    a[(place + 50) % 100] = kInfinity;
    EXPECT_TRUE(std::isnan(dot_product(a, ones))) << "both infinities, one at " << place;
    a.assign(100, 0.0f);
    a[place] = kInfinity;
    EXPECT_TRUE(std::isnan(dot_product(a, Floats(100, 0.0f)))) << "infinity times 0 at " << place;
  }
}

TEST(DotProductTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const std::size_t n = random.UniformInt<std::size_t>(0, 300);
    const Floats a = WholeNumbers(random, n, 1000);
    const Floats b = WholeNumbers(random, n, 1000);
    ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << "call " << call << " " << Case(n);
  }
}

TEST(DotProductTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    const Floats a = WholeNumbers(random, 3000, 1000);
    const Floats b = WholeNumbers(random, 3000, 1000);
    ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << what;
  });
}

TEST(DotProductTest, IsRightWhereItsRegionsGetOneThread) {
  lab::Random random;
  lab::ForNestedCalls([&](const std::string& what) {
    const Floats a = WholeNumbers(random, 3000, 1000);
    const Floats b = WholeNumbers(random, 3000, 1000);
    ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << what;
  });
}

TEST(DotProductTest, AddsALargeNumberOfProducts) {
  lab::Random random;
  // As doubles these are 16 MB, more than a stack has.
  const Floats a = WholeNumbers(random, lab::Scaled(1 << 21) + 3, 1 << 15);
  const Floats b = WholeNumbers(random, a.size(), 1 << 15);
  EXPECT_EQ(dot_product(a, b), ExactDot(a, b)) << Case(a.size());
}

MinLocation ExpectedMinimum(std::span<const float> values) {
  MinLocation best{kInfinity, values.size()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (best.index == values.size() || values[i] < best.value) best = {values[i], i};
  }
  return best;
}

// Fatal, so that a loop over many inputs stops at the first that fails.
void ExpectFirstMinimum(std::span<const float> values, const std::string& what) {
  const MinLocation want = ExpectedMinimum(values);
  const MinLocation got = first_minimum(values);
  ASSERT_EQ(got.value, want.value) << what << ", " << Case(values.size());
  ASSERT_EQ(got.index, want.index) << what << ", " << Case(values.size());
}

TEST(FirstMinimumTest, FindsTheMinimumWhereverItStands) {
  lab::Random random;
  for (const std::size_t n : FloatSizes()) {
    Floats values = random.Floats(n, 1, 2);
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "random values"));
    const std::size_t step = n / 20 + 1;
    for (std::size_t place = 0; place < n; place += step) {
      const float before = std::exchange(values[place], 0.5f);
      ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "minimum at " + std::to_string(place)));
      values[place] = before;
    }
  }
}

TEST(FirstMinimumTest, GivesTheFirstOfEqualMinimaInDifferentShares) {
  lab::Random random;
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = random.UniformInt<std::size_t>(2, 400);
    Floats values = random.Floats(n, 1, 2);
    const int copies = random.UniformInt(2, 5);
    for (int i = 0; i < copies; ++i) values[random.UniformInt<std::size_t>(0, n - 1)] = -3;
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "several equal minima"));
  }
}

TEST(FirstMinimumTest, FindsTheMinimumInAnyShareOfEveryTeam) {
  ForEachTeam([](const std::string& team) {
    for (std::size_t place = 0; place < 16; ++place) {
      Floats values(16, 2.0f);
      values[place] = values[15] = 1;
      ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, team));
    }
  });
}

TEST(FirstMinimumTest, GivesTheFirstIndexWhenAllValuesAreEqual) {
  for (const std::size_t n : FloatSizes()) {
    for (const float value : {0.0f, -1.0f, 1e30f, kInfinity, -kInfinity}) {
      ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(Floats(n, value), "all equal"));
    }
  }
}

TEST(FirstMinimumTest, FindsPositiveAndNegativeMinima) {
  lab::Random random;
  ExpectFirstMinimum(random.Floats(100, 1e-30f, 1e30f), "positive values");
  ExpectFirstMinimum(random.Floats(100, -1e30f, -1e-30f), "negative values");
  ExpectFirstMinimum(Floats(10, std::numeric_limits<float>::max()), "the largest float");
  ExpectFirstMinimum(Floats(10, std::numeric_limits<float>::lowest()), "the lowest float");
}

TEST(FirstMinimumTest, FindsTheEndsOfAscendingAndDescendingValues) {
  for (const std::size_t n : {std::size_t{2}, std::size_t{1000}, lab::Scaled(100'000)}) {
    Floats ascending(n);
    for (std::size_t i = 0; i < n; ++i) ascending[i] = static_cast<float>(i);
    ExpectFirstMinimum(ascending, "ascending values");
    ExpectFirstMinimum(Floats(ascending.rbegin(), ascending.rend()), "descending values");
  }
}

TEST(FirstMinimumTest, NeverGivesNotANumber) {
  lab::Random random;
  for (const std::size_t place : {0, 1, 24, 25, 49, 50, 51, 75, 98, 99}) {
    Floats values = random.Floats(100, 1, 2);
    values[place] = kNotANumber;
    values[(place + 1) % 100] = -kNotANumber;
    ExpectFirstMinimum(values, "NaN at " + std::to_string(place));
    Floats only(100, kNotANumber);
    only[place] = 5;
    ExpectFirstMinimum(only, "the only number at " + std::to_string(place));
    only[place] = kInfinity;
    ExpectFirstMinimum(only, "infinity alone at " + std::to_string(place));
  }
}

TEST(FirstMinimumTest, GivesInfinityAndTheSizeWhenThereIsNoMinimum) {
  for (const std::size_t n : {0, 1, 2, 7, 100, 1000}) {
    ExpectFirstMinimum(Floats(n, kNotANumber), "nothing but NaN");
  }
}

TEST(FirstMinimumTest, TakesTheFirstZeroWhateverItsSign) {
  ExpectFirstMinimum(Floats{1, 0.0f, -0.0f, 0.0f}, "0 before -0");
  ExpectFirstMinimum(Floats{1, 1, -0.0f, 0.0f}, "-0 before 0");
}

TEST(FirstMinimumTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    // Each call's values are larger than those of the call before.
    const float low = static_cast<float>(call);
    const Floats values = random.Floats(random.UniformInt(1, 300), low, low + 1);
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "call " + std::to_string(call)));
  }
}

TEST(FirstMinimumTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(random.Floats(3000, -1, 1), what));
  });
}

TEST(FirstMinimumTest, IsRightWhereItsRegionsGetOneThread) {
  lab::Random random;
  lab::ForNestedCalls([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(random.Floats(3000, -1, 1), what));
  });
}

TEST(FirstMinimumTest, FindsTheFirstMinimumOfManyValues) {
  lab::Random random;
  Floats values = random.Floats(lab::Scaled(kLargeSize) + 3, 0, 1);
  ExpectFirstMinimum(values, "random values");
  // Few different values, so equal minima stand everywhere.
  for (float& value : values) value = static_cast<float>(random.UniformInt(3, 6));
  ExpectFirstMinimum(values, "four different values");
}

Bins ExpectedBins(std::span<const char> text) {
  Bins bins{};
  for (const char c : text) {
    if (c >= 'a' && c <= 'z') ++bins[(c - 'a') / 4];
  }
  return bins;
}

// Fatal, so that a loop over many texts stops at the first that fails.
void ExpectHistogram(std::span<const char> text, const std::string& what) {
  Bins bins;
  lab::Poison(std::span<std::uint32_t>(bins));
  letter_histogram(text, bins);
  ASSERT_TRUE(lab::ExpectAllEqual(bins, ExpectedBins(text))) << what << ", " << Case(text.size());
}

Text AnyBytes(lab::Random& random, std::size_t n) {
  return random.Vector<char>(n, std::numeric_limits<char>::min(), std::numeric_limits<char>::max());
}

TEST(LetterHistogramTest, CountsEachLetterInItsGroup) {
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(Text{letter}, std::string("the letter ") + letter));
  }
}

TEST(LetterHistogramTest, CountsNoOtherByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const Text text(3, static_cast<char>(byte));
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(text, "the byte " + std::to_string(byte)));
  }
}

TEST(LetterHistogramTest, CountsEveryCharacterOnceAtSharePageAndCacheLineEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes(64, 4096)) {
    const Text letters = random.Vector<char>(n, 'a', 'z');
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(letters, "letters"));
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(AnyBytes(random, n), "any bytes"));
  }
}

TEST(LetterHistogramTest, CountsEveryLetterOnceWithEveryTeam) {
  lab::Random random;
  const Text text = random.Vector<char>(1003, 'a', 'z');
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 1003}) {
      ASSERT_NO_FATAL_FAILURE(ExpectHistogram(std::span(text.data(), n), team));
    }
  });
}

TEST(LetterHistogramTest, CountsTextsOfOneLetter) {
  for (const char letter : {'a', 'm', 'z'}) {
    ExpectHistogram(Text(lab::Scaled(100'000), letter), std::string("the letter ") + letter);
  }
}

TEST(LetterHistogramTest, OverwritesWhatTheBinsHeld) {
  lab::Random random;
  const Text text = random.Vector<char>(1000, 'a', 'z');
  for (const std::uint32_t before : {0u, 1u, 0xffffffffu}) {
    Bins bins;
    bins.fill(before);
    letter_histogram(text, bins);
    lab::ExpectAllEqual(bins, ExpectedBins(text));
    letter_histogram(text, bins);
    lab::ExpectAllEqual(bins, ExpectedBins(text));
    letter_histogram(Text(), bins);
    lab::ExpectAllEqual(bins, Bins{});
  }
}

TEST(LetterHistogramTest, CountsManyTextsOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Text text = AnyBytes(random, random.UniformInt<std::size_t>(0, 500));
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(text, "call " + std::to_string(call)));
  }
}

TEST(LetterHistogramTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(AnyBytes(random, 3000), what));
  });
}

TEST(LetterHistogramTest, IsRightWhereItsRegionsGetOneThread) {
  lab::Random random;
  lab::ForNestedCalls([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectHistogram(AnyBytes(random, 3000), what));
  });
}

TEST(LetterHistogramTest, CountsALongText) {
  lab::Random random;
  ExpectHistogram(random.Vector<char>(lab::Scaled(kLargeSize) + 3, 'a', 'z'), "letters");
  ExpectHistogram(AnyBytes(random, lab::Scaled(kLargeSize) + 3), "any bytes");
}

// Fills `values` with small whole numbers, faster than one by one from the stream.
void FillFast(lab::Random& random, Floats& values) {
  for (std::size_t i = 0; i < values.size(); i += 4) {
    std::uint64_t bits = random.Next();
    for (std::size_t j = i; j < i + 4; ++j, bits >>= 16) {
      values[j] = static_cast<float>(bits & 0xfff);
    }
  }
}

// A call of a few milliseconds may be over before the kernel has spread its threads over the cores,
// so the inputs that tell how code scales are larger.
std::size_t Timed(std::size_t n, std::size_t times_for_scaling) {
  return lab::CurrentTeamSize() == 0 ? n : n * times_for_scaling;
}

TEST(DotProductTiming, MultipliesEightMillionPairs) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    struct Case {
      Floats a = Floats(Timed(1 << 23, 2));
      Floats b = Floats(a.size());
      double want = 0;
    };
    const auto data = std::make_shared<Case>();
    FillFast(random, data->a);
    FillFast(random, data->b);
    data->want = ExactDot(data->a, data->b);
    return [data] { EXPECT_EQ(dot_product(data->a, data->b), data->want); };
  });
}

TEST(FirstMinimumTiming, SearchesEightMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Floats>(Timed(1 << 23, 2));
    FillFast(random, *values);
    (*values)[random.UniformInt<std::size_t>(0, values->size() - 1)] = -1;
    return [values, want = ExpectedMinimum(*values)] {
      const MinLocation got = first_minimum(*values);
      EXPECT_EQ(got.value, want.value);
      EXPECT_EQ(got.index, want.index);
    };
  });
}

TEST(LetterHistogramTiming, CountsEightMillionLetters) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto text = std::make_shared<Text>(Timed(1 << 23, 4));
    for (std::size_t i = 0; i < text->size(); i += 8) {
      std::uint64_t bits = random.Next();
      for (std::size_t j = i; j < i + 8; ++j, bits >>= 8) {
        (*text)[j] = static_cast<char>('a' + (bits & 0xff) * 26 / 256);
      }
    }
    return [text, want = ExpectedBins(*text)] {
      Bins bins;
      lab::Poison(std::span<std::uint32_t>(bins));
      letter_histogram(*text, bins);
      lab::ExpectAllEqual(bins, want);
    };
  });
}

}  // namespace
