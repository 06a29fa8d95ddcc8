// The hidden test of the lab "Histogram on a GPU": the letters. That of the keys is in
// hidden_keys_test.cc, what is counted and timed in hidden_cost_test.cc.
//
// The three parts that count letters promise the same, and are asked the same. Each starts with a
// thousand letters, so that a common mistake shows there first.

#include <gtest/gtest.h>

#include <algorithm>

#include "common/lab/function.h"
#include "common/lab/with_failing_calls.h"
#include "solutions/cuda_histogram/hidden_inputs.h"

namespace histogram_test {
namespace {

constexpr std::size_t kLargeSize =
    6'000'000;  // more than a grid that fills a GPU takes in one round

const lab::Function<decltype(CountLetters)> count_letters{"CountLetters"};
const lab::Function<decltype(CountLettersPrivate)> count_letters_private{"CountLettersPrivate"};
const lab::Function<decltype(CountLettersAggregated)> count_letters_aggregated{
    "CountLettersAggregated"};

void ExpectFailuresReported(const Count& count) {
  lab::Random random;
  ExpectLetters(lab::WithFailingCalls(count), TextOf(random, 1000, kLettersAndSpace));
}

void ExpectThousand(const Count& count) {
  lab::Random random;
  ExpectLetters(count, TextOf(random, 1000, kLettersAndSpace));
}

void ExpectTenThousand(const Count& count) {
  lab::Random random;
  ExpectLetters(count, TextOf(random, 10'000, kLettersAndSpace));
}

// Byte b stands there b % 11 + 1 times, so that each bin has a number of its own.
void ExpectEveryByte(const Count& count) {
  lab::Random random;
  std::string text;
  for (const char byte : AllBytes()) text.append(static_cast<unsigned char>(byte) % 11 + 1, byte);
  ExpectLetters(count, text);
  random.Shuffle(std::span<char>(text));
  ExpectLetters(count, text);
}

// One byte and nothing else.
void ExpectEachByteAlone(const Count& count) {
  for (const char byte : AllBytes()) {
    SCOPED_TRACE("the byte " + std::to_string(static_cast<unsigned char>(byte)));
    ExpectLetters(count, std::string(3, byte));
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectSizes(const Count& count) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    // The first and the last one are letters that are found to be missing.
    std::string text = TextOf(random, n, kLettersAndSpace);
    if (n > 0) text.front() = text.back() = 'm';
    ExpectLetters(count, text);
    ExpectLetters(count, std::string(n, 'z'));
    if (testing::Test::HasFailure()) return;
  }
}

// The first and last letter of each bin, and what stands beside the letters.
void ExpectEdges(const Count& count, std::size_t n) {
  lab::Random random;
  ExpectLetters(count, TextOf(random, n, "adehilmpqtuxyz"));
  ExpectLetters(count, TextOf(random, n, "`a"));
  ExpectLetters(count, TextOf(random, n, "z{|}~"));
  ExpectLetters(count, TextOf(random, n, "]^_`@[AZ"));
  ExpectLetters(count, TextOf(random, n, "\x61\xe1\x7a\xfa\x80\xff"));
}

void ExpectAllBytes(const Count& count, std::size_t n) {
  lab::Random random;
  ExpectLetters(count, TextOf(random, n, AllBytes()));
}

// Mostly spaces and a few letters, as in a text.
void ExpectSkewed(const Count& count, std::size_t n) {
  lab::Random random;
  ExpectLetters(count, TextOf(random, n, "      eeeeeeeetttttaaaaoooiiinnnsshhrrdlucmfwygpbvk.,"));
}

// All of one kind, which all threads want to count at once.
void ExpectOneKind(const Count& count, std::size_t n) {
  for (const char byte : std::string("adehxyz`{| A\xe1")) {
    ExpectLetters(count, std::string(n, byte));
  }
}

// Two that take turns, in the same bin and in different ones, or only one of them in any.
void ExpectAlternating(const Count& count, std::size_t n) {
  for (const std::string_view pair : {"ad", "ae", "za", "x ", " y", "z{", "`a"}) {
    std::string text(n, pair[0]);
    for (std::size_t i = 1; i < n; i += 2) text[i] = pair[1];
    ExpectLetters(count, text);
  }
}

// Runs of equal bins of all lengths, the last one being cut off by the end.
void ExpectRuns(const Count& count, std::size_t n) {
  lab::Random random;
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
void ExpectOverwritten(const Count& count) {
  lab::Random random;
  const std::string text = TextOf(random, 3000, kLettersAndSpace);
  for (const unsigned before : {0u, 1u, 1000u, 4294967295u}) {
    ExpectBins(count, text, ExpectedLetters(text), Counts(kLetterBins, before));
  }
}

void ExpectNothing(const Count& count) {
  ExpectLetters(count, "");
  ExpectLetters(count, std::string(5000, ' '));
  ExpectLetters(count, std::string(5000, '\0'));
}

void ExpectIndependentCalls(const Count& count) {
  lab::Random random;
  for (int call = 0; call < 30; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectLetters(count, TextOf(random, random.UniformInt<std::size_t>(0, 9000), AllBytes()));
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectLarge(const Count& count) {
  lab::Random random;
  ExpectLetters(count, TextOf(random, lab::Scaled(kLargeSize), kLettersAndSpace));
  ExpectLetters(count, TextOf(random, lab::Scaled(kLargeSize / 3) + 1, AllBytes()));
}

// Hundreds for each thread of a small grid: more than 8 bits hold, or for a block 16.
void ExpectManyEqual(const Count& count) {
  ExpectLetters(count, std::string(lab::Scaled(kLargeSize) + 1, 'k'));
}

TEST(CountLettersTest, CountsAThousandCharacters) { ExpectThousand(count_letters); }

TEST(CountLettersTest, CountsTenThousandCharactersOfSeveralBlocks) {
  ExpectTenThousand(count_letters);
}

TEST(CountLettersTest, CountsNothingButSmallLetters) { ExpectEveryByte(count_letters); }

TEST(CountLettersTest, TellsEachByteFromTheOthers) { ExpectEachByteAlone(count_letters); }

TEST(CountLettersTest, KnowsWhereBinsAndTheAlphabetEnd) { ExpectEdges(count_letters, 3001); }

TEST(CountLettersTest, CountsAnyBytes) { ExpectAllBytes(count_letters, 20'001); }

TEST(CountLettersTest, CountsAtWarpBlockAndTileEdges) { ExpectSizes(count_letters); }

TEST(CountLettersTest, CountsSkewedTexts) { ExpectSkewed(count_letters, 20'001); }

TEST(CountLettersTest, CountsCharactersThatAreAllEqual) { ExpectOneKind(count_letters, 5003); }

TEST(CountLettersTest, CountsCharactersThatTakeTurns) { ExpectAlternating(count_letters, 5003); }

TEST(CountLettersTest, CountsRuns) { ExpectRuns(count_letters, 20'001); }

TEST(CountLettersTest, OverwritesWhatTheBinsHeld) { ExpectOverwritten(count_letters); }

TEST(CountLettersTest, GivesZerosWhereThereAreNoLetters) { ExpectNothing(count_letters); }

TEST(CountLettersTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(count_letters); }

TEST(CountLettersTest, CountsALargeText) { ExpectLarge(count_letters); }

TEST(CountLettersTest, ThrowsWhenARuntimeCallFails) { ExpectFailuresReported(count_letters); }

TEST(CountLettersPrivateTest, CountsAThousandCharacters) { ExpectThousand(count_letters_private); }

TEST(CountLettersPrivateTest, CountsTenThousandCharactersOfSeveralBlocks) {
  ExpectTenThousand(count_letters_private);
}

TEST(CountLettersPrivateTest, CountsNothingButSmallLetters) {
  ExpectEveryByte(count_letters_private);
}

TEST(CountLettersPrivateTest, TellsEachByteFromTheOthers) {
  ExpectEachByteAlone(count_letters_private);
}

TEST(CountLettersPrivateTest, KnowsWhereBinsAndTheAlphabetEnd) {
  ExpectEdges(count_letters_private, 3001);
}

TEST(CountLettersPrivateTest, CountsAnyBytes) { ExpectAllBytes(count_letters_private, 20'001); }

TEST(CountLettersPrivateTest, CountsAtWarpBlockAndTileEdges) { ExpectSizes(count_letters_private); }

TEST(CountLettersPrivateTest, CountsSkewedTexts) { ExpectSkewed(count_letters_private, 20'001); }

TEST(CountLettersPrivateTest, CountsCharactersThatAreAllEqual) {
  ExpectOneKind(count_letters_private, 5003);
}

TEST(CountLettersPrivateTest, CountsCharactersThatTakeTurns) {
  ExpectAlternating(count_letters_private, 5003);
}

TEST(CountLettersPrivateTest, CountsRuns) { ExpectRuns(count_letters_private, 20'001); }

TEST(CountLettersPrivateTest, OverwritesWhatTheBinsHeld) {
  ExpectOverwritten(count_letters_private);
}

TEST(CountLettersPrivateTest, GivesZerosWhereThereAreNoLetters) {
  ExpectNothing(count_letters_private);
}

TEST(CountLettersPrivateTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(count_letters_private);
}

TEST(CountLettersPrivateTest, CountsALargeText) { ExpectLarge(count_letters_private); }

TEST(CountLettersPrivateTest, CountsMillionsOfEqualLetters) {
  ExpectManyEqual(count_letters_private);
}

TEST(CountLettersPrivateTest, ThrowsWhenARuntimeCallFails) {
  ExpectFailuresReported(count_letters_private);
}

TEST(CountLettersAggregatedTest, CountsAThousandCharacters) {
  ExpectThousand(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, CountsTenThousandCharactersOfSeveralBlocks) {
  ExpectTenThousand(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, CountsNothingButSmallLetters) {
  ExpectEveryByte(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, TellsEachByteFromTheOthers) {
  ExpectEachByteAlone(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, KnowsWhereBinsAndTheAlphabetEnd) {
  ExpectEdges(count_letters_aggregated, 3001);
}

TEST(CountLettersAggregatedTest, CountsAnyBytes) {
  ExpectAllBytes(count_letters_aggregated, 20'001);
}

TEST(CountLettersAggregatedTest, CountsAtWarpBlockAndTileEdges) {
  ExpectSizes(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, CountsSkewedTexts) {
  ExpectSkewed(count_letters_aggregated, 20'001);
}

TEST(CountLettersAggregatedTest, CountsCharactersThatAreAllEqual) {
  ExpectOneKind(count_letters_aggregated, 5003);
}

TEST(CountLettersAggregatedTest, CountsCharactersThatTakeTurns) {
  ExpectAlternating(count_letters_aggregated, 5003);
}

TEST(CountLettersAggregatedTest, CountsRuns) { ExpectRuns(count_letters_aggregated, 20'001); }

TEST(CountLettersAggregatedTest, OverwritesWhatTheBinsHeld) {
  ExpectOverwritten(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, GivesZerosWhereThereAreNoLetters) {
  ExpectNothing(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, CountsALargeText) { ExpectLarge(count_letters_aggregated); }

TEST(CountLettersAggregatedTest, CountsMillionsOfEqualLetters) {
  ExpectManyEqual(count_letters_aggregated);
}

TEST(CountLettersAggregatedTest, ThrowsWhenARuntimeCallFails) {
  ExpectFailuresReported(count_letters_aggregated);
}

}  // namespace
}  // namespace histogram_test
