// What the simulator counts, always with the same sizes: thresholds in lab.toml are on these. And
// what is timed.

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/cuda_histogram/hidden_inputs.h"
#include "solutions/cuda_histogram/hidden_keys.h"

namespace histogram_test::cost_test {

TEST(CountLettersCounted, CountsAQuarterOfAMillionCharacters) {
  lab::Random random;
  ExpectLetters(count_letters, TextOf(random, (1 << 18) + 5, kLettersAndSpace));
}

TEST(CountLettersPrivateCounted, CountsAQuarterOfAMillionCharacters) {
  lab::Random random;
  ExpectLetters(count_letters_private, TextOf(random, (1 << 18) + 5, kLettersAndSpace));
}

TEST(CountLettersAggregatedCounted, CountsAMillionEqualLetters) {
  ExpectLetters(count_letters_aggregated, std::string((1 << 20) + 5, 'g'));
}

TEST(CountKeysCounted, CountsAQuarterOfAMillionKeys) {
  lab::Random random;
  ExpectCounts(count_keys, FastKeys(random, (1 << 18) + 5, 256), lab::Poisoned<unsigned>(256));
}

TEST(CountKeysSkewedCounted, CountsKeysOfWhichMostAreEqual) {
  lab::Random random;
  ExpectCounts(count_keys, SkewedKeys(random, (1 << 17) + 5, 5000), lab::Poisoned<unsigned>(5000));
}

TEST(CountKeysTiming, CountsTwoMillionKeys) {
  const std::size_t n = lab::TimedSize(1 << 21, 1 << 26);
  const lab::Work work{1.0 * sizeof(unsigned) * n, 1.0 * n};
  lab::RunTimedPairs(work, [n](lab::Random& random) -> std::function<void()> {
    const auto keys = std::make_shared<Counts>(FastKeys(random, n, 256));
    return [keys] { ExpectCounts(count_keys, *keys, lab::Poisoned<unsigned>(256)); };
  });
}

}  // namespace histogram_test::cost_test
