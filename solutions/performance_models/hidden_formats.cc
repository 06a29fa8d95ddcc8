// The hidden test of CompareFormats and ChooseHybridWidth.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/performance_models/answers.h"
#include "labs/performance_models/performance_models.h"

namespace performance_models::formats {

using Lengths = std::vector<std::int32_t>;

constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();

const lab::Function<decltype(CompareFormats)> compare_formats{"CompareFormats"};
const lab::Function<decltype(ChooseHybridWidth)> choose_hybrid_width{"ChooseHybridWidth"};

struct Sizes {
  std::int32_t index;
  std::int32_t value;
};

std::string Text(const Lengths& lengths, const Sizes& sizes) {
  std::string text = std::to_string(lengths.size()) + " rows, lengths";
  for (std::size_t row = 0; row < std::min<std::size_t>(lengths.size(), 20); ++row) {
    text += ' ' + std::to_string(lengths[row]);
  }
  return text + (lengths.size() > 20 ? " ..." : "") + "; " + std::to_string(sizes.index) +
         " bytes an index, " + std::to_string(sizes.value) + " a value";
}

FormatBytes ExpectedFormats(const Lengths& lengths, const Sizes& sizes) {
  std::int64_t csr = sizes.index;
  std::int64_t slots = 0;
  const std::int64_t entry = std::int64_t{sizes.index} + sizes.value;
  for (const std::int32_t length : lengths) {
    csr += sizes.index + length * entry;
    slots = std::max<std::int64_t>(slots, length);
  }
  const std::int64_t ell = static_cast<std::int64_t>(lengths.size()) * slots * entry;
  return {csr, ell, ell < csr};
}

std::int64_t HybridBytes(const Lengths& lengths, const Sizes& sizes, std::int64_t width) {
  std::int64_t bytes = 0;
  for (const std::int32_t length : lengths) {
    bytes += width * (std::int64_t{sizes.index} + sizes.value);
    if (length > width) bytes += (length - width) * (2 * std::int64_t{sizes.index} + sizes.value);
  }
  return bytes;
}

// Between two lengths the bytes grow or shrink evenly, so the best width is one of them, or 0.
HybridLayout ExpectedLayout(const Lengths& lengths, const Sizes& sizes) {
  Lengths widths = lengths;
  widths.push_back(0);
  std::sort(widths.begin(), widths.end());
  HybridLayout best{0, std::numeric_limits<std::int64_t>::max()};
  for (const std::int32_t width : widths) {
    const std::int64_t bytes = HybridBytes(lengths, sizes, width);
    if (bytes < best.bytes) best = {width, bytes};
  }
  return best;
}

// Fatal, so that a loop over many matrices stops at the first that fails.
void ExpectFormats(const Lengths& lengths, const Sizes& sizes) {
  ASSERT_EQ(performance_models::Text(compare_formats(lengths, sizes.index, sizes.value)),
            performance_models::Text(std::optional(ExpectedFormats(lengths, sizes))))
      << Text(lengths, sizes);
}

void ExpectLayout(const Lengths& lengths, const Sizes& sizes) {
  ASSERT_EQ(performance_models::Text(choose_hybrid_width(lengths, sizes.index, sizes.value)),
            performance_models::Text(std::optional(ExpectedLayout(lengths, sizes))))
      << Text(lengths, sizes);
}

// Calls check with matrices of several shapes, small enough to try every width.
template <typename Check>
void ForManyMatrices(const Check& check) {
  lab::Random random;
  for (const Sizes& sizes : {Sizes{4, 4}, Sizes{4, 8}, Sizes{8, 8}, Sizes{1, 7}, Sizes{9, 1}}) {
    for (const Lengths& lengths :
         {Lengths{}, Lengths{0}, Lengths{5}, Lengths{0, 0, 0}, Lengths{3, 3, 3}, Lengths{1, 1, 9},
          Lengths{0, 1, 2, 3, 4, 5}, Lengths{7, 0, 7, 0}}) {
      ASSERT_NO_FATAL_FAILURE(check(lengths, sizes));
    }
    for (int round = 0; round < 25; ++round) {
      const auto longest = 1 << random.UniformInt(0, 20);
      Lengths lengths = random.Ints(random.UniformInt<std::size_t>(1, 60), 0, longest);
      for (std::size_t row = 0; row < lengths.size(); row += 2) lengths[row] %= 5;
      ASSERT_NO_FATAL_FAILURE(check(lengths, sizes));
    }
  }
}

// Lengths and sizes that need 64 bits soon.
template <typename Check>
void ForLargeMatrices(const Check& check) {
  ASSERT_NO_FATAL_FAILURE(check({kHighest, kHighest - 1, 0, 7}, {4, 8}));
  ASSERT_NO_FATAL_FAILURE(check({1, kHighest}, {1000, 1}));
  ASSERT_NO_FATAL_FAILURE(check({1, 2, 3}, {kHighest, kHighest}));
  ASSERT_NO_FATAL_FAILURE(check(Lengths(1000, 1 << 21), {4, 4}));
}

template <typename Function>
void ExpectNoValues(const Function& function) {
  for (const Lengths& lengths : {Lengths{-1}, Lengths{3, 3, -1}, Lengths{-5, 100, 100},
                                 Lengths{std::numeric_limits<std::int32_t>::min(), 1}}) {
    EXPECT_EQ(performance_models::Text(function(lengths, 4, 4)), "no value")
        << Text(lengths, {4, 4});
  }
  for (const std::int32_t wrong : {0, -1, -8}) {
    for (const Lengths& lengths : {Lengths{}, Lengths{2, 2}}) {
      EXPECT_EQ(performance_models::Text(function(lengths, wrong, 4)), "no value")
          << Text(lengths, {wrong, 4});
      EXPECT_EQ(performance_models::Text(function(lengths, 4, wrong)), "no value")
          << Text(lengths, {4, wrong});
    }
  }
}

TEST(CompareFormatsTest, TakesMatricesOfEveryShape) { ForManyMatrices(ExpectFormats); }

TEST(CompareFormatsTest, CountsBytesThatNeed64Bits) { ForLargeMatrices(ExpectFormats); }

TEST(CompareFormatsTest, DoesNotCallEllSmallerForATie) {
  // Three rows with 3, 3 and 1 entries: 7 * 8 + 4 * 4 bytes in both formats.
  EXPECT_EQ(performance_models::Text(compare_formats(Lengths{3, 3, 1}, 4, 4)),
            "CSR 72 bytes, ELL 72, ELL is not smaller");
  EXPECT_EQ(performance_models::Text(compare_formats(Lengths{3, 3, 2}, 4, 4)),
            "CSR 80 bytes, ELL 72, ELL is smaller");
}

TEST(CompareFormatsTest, HasNoValueForANegativeLengthOrASizeBelowOne) {
  ExpectNoValues(compare_formats);
}

TEST(CompareFormatsTest, TakesManyRowsOneOfThemLong) {
  lab::Random random;
  Lengths lengths = random.Ints(lab::Scaled(500'000), 0, 8);
  lengths[lengths.size() / 3] = 1'000'000;
  ExpectFormats(lengths, {4, 8});
}

TEST(CompareFormatsTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) { ExpectFormats({1, 2, 3}, {4, 8}); });
}

TEST(ChooseHybridWidthTest, TakesMatricesOfEveryShape) { ForManyMatrices(ExpectLayout); }

TEST(ChooseHybridWidthTest, CountsBytesThatNeed64Bits) { ForLargeMatrices(ExpectLayout); }

TEST(ChooseHybridWidthTest, TakesTheSmallestOfSeveralBestWidths) {
  // Two of three rows are longer: a slot more costs 3 * 8 bytes and saves 2 * 12.
  EXPECT_EQ(performance_models::Text(choose_hybrid_width(Lengths{2, 9, 9}, 4, 4)),
            "width 2, 216 bytes");
  EXPECT_EQ(performance_models::Text(choose_hybrid_width(Lengths{0, 5, 5}, 4, 4)),
            "width 0, 120 bytes");
}

TEST(ChooseHybridWidthTest, HasNoValueForANegativeLengthOrASizeBelowOne) {
  ExpectNoValues(choose_hybrid_width);
}

TEST(ChooseHybridWidthTest, TakesManyRowsSomeOfThemLong) {
  const std::size_t rows = lab::Scaled(200'000);
  Lengths lengths(rows, 3);
  for (std::size_t row = 0; row < rows; row += 4) lengths[row] = 1;
  for (std::size_t row = 1; row < rows; row += 1000) lengths[row] = kHighest / 2;
  const Sizes sizes{4, 4};
  EXPECT_EQ(
      performance_models::Text(choose_hybrid_width(lengths, sizes.index, sizes.value)),
      performance_models::Text(std::optional(HybridLayout{3, HybridBytes(lengths, sizes, 3)})));
}

TEST(ChooseHybridWidthTest, TakesManyRowsThatAllHaveOtherLengths) {
  lab::Random random;
  const auto rows = static_cast<std::int32_t>(lab::Scaled(200'000));
  Lengths lengths(rows);
  for (std::int32_t row = 0; row < rows; ++row) lengths[row] = row + 1;
  random.Shuffle(lengths);
  // A slot more pays while rows - width > 2 / 3 of the rows.
  const std::int32_t width = rows - 2 * rows / 3;
  EXPECT_EQ(performance_models::Text(choose_hybrid_width(lengths, 4, 4)),
            performance_models::Text(
                std::optional(HybridLayout{width, HybridBytes(lengths, {4, 4}, width)})));
}

TEST(ChooseHybridWidthTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([](const std::string&) { ExpectLayout({1, 2, 3, 30}, {4, 8}); });
}

}  // namespace performance_models::formats
