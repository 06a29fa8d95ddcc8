// The hidden test of LetterHistogram.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_reduction/reduction.h"
#include "solutions/openmp_reduction/hidden_inputs.h"

namespace openmp_reduction {
namespace {

using Bins = std::array<std::uint32_t, kLetterGroups>;
using Text = std::vector<char>;

const lab::Function<decltype(LetterHistogram)> letter_histogram{"LetterHistogram"};

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
  for (const std::size_t n : Sizes(sizeof(char))) {
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

LAB_TEST_OPENMP_CALLERS(LetterHistogramTest, [](lab::Random& random, const std::string& what) {
  ExpectHistogram(AnyBytes(random, 3000), what);
})

TEST(LetterHistogramTest, CountsALongText) {
  lab::Random random;
  ExpectHistogram(random.Vector<char>(lab::Scaled(kLargeSize) + 3, 'a', 'z'), "letters");
  ExpectHistogram(AnyBytes(random, lab::Scaled(kLargeSize) + 3), "any bytes");
}

Text Letters(lab::Random& random, std::size_t n) {
  Text text = random.AnyBits<char>(n);
  for (char& c : text) c = static_cast<char>('a' + static_cast<unsigned char>(c) * 26 / 256);
  return text;
}

TEST(LetterHistogramTiming, CountsEightMillionLetters) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Text text = Letters(random, Timed(1 << 23, 4));
    return [want = ExpectedBins(text), text = std::move(text)] {
      Bins bins;
      lab::Poison(std::span<std::uint32_t>(bins));
      letter_histogram(text, bins);
      lab::ExpectAllEqual(bins, want);
    };
  });
}

}  // namespace
}  // namespace openmp_reduction
