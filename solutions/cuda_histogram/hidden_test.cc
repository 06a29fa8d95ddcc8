// The hidden test of the lab "Histogram on a GPU": the letters. That of the keys is in
// hidden_keys_test.cc, what is counted and timed in hidden_cost_test.cc.
//
// Each part starts with a thousand letters, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_histogram/hidden_inputs.h"

namespace histogram_test {
namespace {

constexpr std::size_t kLargeSize =
    6'000'000;  // more than a grid that fills a GPU takes in one round

// The three parts that count letters have the same contract.
struct LettersTest : testing::TestWithParam<Count> {
  const Count& count = GetParam();
  lab::Random random;
};

struct PrivatizedLettersTest : LettersTest {};

TEST_P(LettersTest, CountsAThousandCharacters) {
  ExpectLetters(count, TextOf(random, 1000, kLettersAndSpace));
}

TEST_P(LettersTest, CountsTenThousandCharactersOfSeveralBlocks) {
  ExpectLetters(count, TextOf(random, 10'000, kLettersAndSpace));
}

// Byte b stands there b % 11 + 1 times, so that each bin has a number of its own.
TEST_P(LettersTest, CountsNothingButSmallLetters) {
  std::string text;
  for (const char byte : AllBytes()) text.append(static_cast<unsigned char>(byte) % 11 + 1, byte);
  ExpectLetters(count, text);
  random.Shuffle(std::span<char>(text));
  ExpectLetters(count, text);
}

// One byte and nothing else.
TEST_P(LettersTest, TellsEachByteFromTheOthers) {
  for (const char byte : AllBytes()) {
    SCOPED_TRACE("the byte " + std::to_string(static_cast<unsigned char>(byte)));
    ExpectLetters(count, std::string(3, byte));
    if (testing::Test::HasFailure()) return;
  }
}

// The first and last letter of each bin, and what stands beside the letters.
TEST_P(LettersTest, KnowsWhereBinsAndTheAlphabetEnd) {
  constexpr std::size_t n = 3001;
  ExpectLetters(count, TextOf(random, n, "adehilmpqtuxyz"));
  ExpectLetters(count, TextOf(random, n, "`a"));
  ExpectLetters(count, TextOf(random, n, "z{|}~"));
  ExpectLetters(count, TextOf(random, n, "]^_`@[AZ"));
  ExpectLetters(count, TextOf(random, n, "\x61\xe1\x7a\xfa\x80\xff"));
}

TEST_P(LettersTest, CountsAnyBytes) {
  constexpr std::size_t n = 20'001;
  ExpectLetters(count, TextOf(random, n, AllBytes()));
}

TEST_P(LettersTest, CountsAtWarpBlockAndTileEdges) {
  for (const std::size_t n : Sizes()) {
    // The first and the last are letters, so that a missing one is noticed.
    std::string text = TextOf(random, n, kLettersAndSpace);
    if (n > 0) text.front() = text.back() = 'm';
    ExpectLetters(count, text);
    ExpectLetters(count, std::string(n, 'z'));
    if (testing::Test::HasFailure()) return;
  }
}

// Mostly spaces and a few letters, as in a text.
TEST_P(LettersTest, CountsSkewedTexts) {
  constexpr std::size_t n = 20'001;
  ExpectLetters(count, TextOf(random, n, "      eeeeeeeetttttaaaaoooiiinnnsshhrrdlucmfwygpbvk.,"));
}

// All equal: all threads contend for one bin.
TEST_P(LettersTest, CountsCharactersThatAreAllEqual) {
  constexpr std::size_t n = 5003;
  for (const char byte : std::string("adehxyz`{| A\xe1")) {
    ExpectLetters(count, std::string(n, byte));
  }
}

// Two alternating characters, in the same bin, in different ones, or only one of them in a bin.
TEST_P(LettersTest, CountsCharactersThatTakeTurns) {
  constexpr std::size_t n = 5003;
  for (const std::string_view pair : {"ad", "ae", "za", "x ", " y", "z{", "`a"}) {
    std::string text(n, pair[0]);
    for (std::size_t i = 1; i < n; i += 2) text[i] = pair[1];
    ExpectLetters(count, text);
  }
}

// Runs of equal bins of all lengths, the last one being cut off by the end.
TEST_P(LettersTest, CountsRuns) {
  constexpr std::size_t n = 20'001;
  for (const int longest : {2, 5, 40, 700}) {
    std::string text;
    while (text.size() < n) {
      const auto length = random.UniformInt<std::size_t>(1, longest);
      text += TextOf(random, length, random.UniformInt(0, 4) == 0 ? "  " : "efgh");
      text += TextOf(random, length, "pqrst");
    }
    text.resize(n);
    ExpectLetters(count, text);
  }
}

// What the bins held must not matter.
TEST_P(LettersTest, OverwritesWhatTheBinsHeld) {
  const std::string text = TextOf(random, 3000, kLettersAndSpace);
  for (const unsigned before : {0u, 1u, 1000u, 4294967295u}) {
    ExpectBins(count, text, ExpectedLetters(text), Counts(kLetterBins, before));
  }
}

TEST_P(LettersTest, GivesZerosWhereThereAreNoLetters) {
  ExpectLetters(count, "");
  ExpectLetters(count, std::string(5000, ' '));
  ExpectLetters(count, std::string(5000, '\0'));
}

TEST_P(LettersTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 30; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectLetters(count, TextOf(random, random.UniformInt<std::size_t>(0, 9000), AllBytes()));
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(LettersTest, CountsALargeText) {
  ExpectLetters(count, TextOf(random, lab::Scaled(kLargeSize), kLettersAndSpace));
  ExpectLetters(count, TextOf(random, lab::Scaled(kLargeSize / 3) + 1, AllBytes()));
}

// Hundreds for each thread of a small grid: more than 8 bits hold, or 16 for a block.
TEST_P(PrivatizedLettersTest, CountsMillionsOfEqualLetters) {
  ExpectLetters(count, std::string(lab::Scaled(kLargeSize) + 1, 'k'));
}

TEST_P(LettersTest, ThrowsWhenARuntimeCallFails) {
  ExpectLetters(lab::WithFailingCalls(count), TextOf(random, 1000, kLettersAndSpace));
}

INSTANTIATE_TEST_SUITE_P(CountLettersTest, LettersTest, testing::Values(count_letters));
INSTANTIATE_TEST_SUITE_P(CountLettersPrivateTest, LettersTest,
                         testing::Values(count_letters_private));
INSTANTIATE_TEST_SUITE_P(CountLettersAggregatedTest, LettersTest,
                         testing::Values(count_letters_aggregated));
INSTANTIATE_TEST_SUITE_P(CountLettersPrivateTest, PrivatizedLettersTest,
                         testing::Values(count_letters_private));
INSTANTIATE_TEST_SUITE_P(CountLettersAggregatedTest, PrivatizedLettersTest,
                         testing::Values(count_letters_aggregated));

}  // namespace
}  // namespace histogram_test
