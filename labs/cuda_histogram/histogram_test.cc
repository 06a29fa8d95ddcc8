// The public test: a few simple cases for each part. The grader tests more; histogram.h says what.
// One case of each part has the size on which the grader counts; README.md has their names.

#include "labs/cuda_histogram/histogram.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Counts = std::vector<unsigned>;

const lab::Function<decltype(CountLetters)> count_letters{"CountLetters"};
const lab::Function<decltype(CountLettersPrivate)> count_letters_private{"CountLettersPrivate"};
const lab::Function<decltype(CountLettersAggregated)> count_letters_aggregated{
    "CountLettersAggregated"};
const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};

constexpr std::string_view kSentence = "programming massively parallel processors";

// Small letters and some spaces.
std::string Text(std::size_t n) {
  lab::Random random;
  std::string text(n, ' ');
  for (char& character : text) {
    if (random.UniformInt(0, 5) > 0) character = static_cast<char>(random.UniformInt('a', 'z'));
  }
  return text;
}

Counts Expected(std::string_view text) {
  constexpr std::string_view kGroups[kLetterBins] = {"abcd", "efgh", "ijkl", "mnop",
                                                     "qrst", "uvwx", "yz"};
  Counts want(kLetterBins);
  for (const char character : text) {
    for (std::size_t b = 0; b < kLetterBins; ++b) {
      if (kGroups[b].find(character) != std::string_view::npos) ++want[b];
    }
  }
  return want;
}

// Calls count(text, bins), where the bins were never written.
template <typename Count>
void ExpectLetters(const Count& count, std::string_view text) {
  Counts bins = lab::Poisoned<unsigned>(kLetterBins);
  count(text, bins);
  EXPECT_TRUE(lab::ExpectAllEqual(bins, Expected(text))) << "with n = " << text.size();
}

TEST(CountLettersTest, CountsASentence) { ExpectLetters(count_letters, kSentence); }

TEST(CountLettersTest, CountsNoCapitalsAndNoOtherCharacters) {
  ExpectLetters(count_letters, "In 2022, X = {a, z}: `Y`");
}

TEST(CountLettersTest, CountsATextOfManyBlocks) { ExpectLetters(count_letters, Text(100'003)); }

TEST(CountLettersTest, CountsAQuarterOfAMillionLetters) {
  ExpectLetters(count_letters, Text((1 << 18) + 5));
}

TEST(CountLettersTest, GivesZerosForNoText) { ExpectLetters(count_letters, ""); }

TEST(CountLettersTest, ThrowsWhenARuntimeCallFails) {
  ExpectLetters(lab::WithFailingCalls(count_letters), kSentence);
}

TEST(CountLettersPrivateTest, CountsASentence) { ExpectLetters(count_letters_private, kSentence); }

TEST(CountLettersPrivateTest, CountsNoCapitalsAndNoOtherCharacters) {
  ExpectLetters(count_letters_private, "In 2022, X = {a, z}: `Y`");
}

TEST(CountLettersPrivateTest, CountsATextOfManyBlocks) {
  ExpectLetters(count_letters_private, Text(100'003));
}

TEST(CountLettersPrivateTest, CountsAQuarterOfAMillionLetters) {
  ExpectLetters(count_letters_private, Text((1 << 18) + 5));
}

TEST(CountLettersPrivateTest, GivesZerosForNoText) { ExpectLetters(count_letters_private, ""); }

TEST(CountLettersPrivateTest, ThrowsWhenARuntimeCallFails) {
  ExpectLetters(lab::WithFailingCalls(count_letters_private), kSentence);
}

TEST(CountLettersAggregatedTest, CountsASentence) {
  ExpectLetters(count_letters_aggregated, kSentence);
}

TEST(CountLettersAggregatedTest, CountsNoCapitalsAndNoOtherCharacters) {
  ExpectLetters(count_letters_aggregated, "In 2022, X = {a, z}: `Y`");
}

TEST(CountLettersAggregatedTest, CountsATextOfManyBlocks) {
  ExpectLetters(count_letters_aggregated, Text(100'003));
}

TEST(CountLettersAggregatedTest, CountsAMillionEqualLetters) {
  ExpectLetters(count_letters_aggregated, std::string((1 << 20) + 5, 'g'));
}

TEST(CountLettersAggregatedTest, GivesZerosForNoText) {
  ExpectLetters(count_letters_aggregated, "");
}

TEST(CountLettersAggregatedTest, ThrowsWhenARuntimeCallFails) {
  ExpectLetters(lab::WithFailingCalls(count_letters_aggregated), kSentence);
}

// n keys, of which a few have no bin.
Counts Keys(std::size_t n, unsigned size) {
  lab::Random random;
  Counts keys(n);
  for (unsigned& key : keys) key = random.UniformInt<unsigned>(0, size + size / 8);
  return keys;
}

void ExpectKeys(const Counts& keys, unsigned size) {
  Counts want(size);
  for (const unsigned key : keys) {
    if (key < size) ++want[key];
  }
  Counts bins = lab::Poisoned<unsigned>(size);
  count_keys(keys, bins);
  EXPECT_TRUE(lab::ExpectAllEqual(bins, want))
      << "with n = " << keys.size() << " and " << size << " bins";
}

TEST(CountKeysTest, CountsInTenBins) { ExpectKeys({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9}, 10); }

TEST(CountKeysTest, DoesNotCountKeysWithoutABin) { ExpectKeys({0, 1, 2, 3, 4, 4294967295u}, 3); }

TEST(CountKeysTest, CountsInOneBin) { ExpectKeys(Counts(1000, 0), 1); }

TEST(CountKeysTest, CountsAQuarterOfAMillionKeysIn256Bins) {
  ExpectKeys(Keys((1 << 18) + 5, 256), 256);
}

TEST(CountKeysTest, CountsManyEqualKeysIn5000Bins) {
  Counts keys = Keys((1 << 17) + 5, 5000);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % 16 != 0) keys[i] = 1234;
  }
  ExpectKeys(keys, 5000);
}

TEST(CountKeysTest, CountsInMoreBinsThanSharedMemoryHolds) {
  ExpectKeys(Keys(50'000, 100'000), 100'000);
}

TEST(CountKeysTest, GivesZerosForNoKeys) { ExpectKeys({}, 100); }

TEST(CountKeysTest, ThrowsWhenARuntimeCallFails) {
  Counts bins(3);
  lab::WithFailingCalls(count_keys)(Counts{0, 2, 2, 3}, bins);
  EXPECT_EQ(bins, (Counts{1, 0, 2}));
}

}  // namespace
