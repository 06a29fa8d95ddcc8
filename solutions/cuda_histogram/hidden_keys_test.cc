// The hidden test of the lab "Histogram on a GPU": keys in any number of bins.

#include "solutions/cuda_histogram/hidden_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "common/lab/testing/with_failing_calls.h"

namespace histogram_test::keys_test {

constexpr unsigned kLargest = std::numeric_limits<unsigned>::max();

void ExpectKeys(const Counts& keys, std::size_t size) {
  ExpectCounts(count_keys, keys, lab::Poisoned<unsigned>(size));
}

// Numbers of bins around powers of two, and around what shared memory holds: 48 KiB without opting
// in, 99, 163 and 227 KiB on various GPUs with it.
const Counts kSizes{1,     2,     3,     5,     7,     31,    32,    33,    255,
                    256,   257,   1000,  1023,  1024,  1025,  2049,  4096,  5000,
                    8192,  8193,  12287, 12288, 12289, 16384, 24576, 24577, 25344,
                    41728, 58111, 58112, 58113, 65535, 65536, 65537};

TEST(CountKeysTest, CountsAThousandKeysInTenBins) {
  lab::Random random;
  ExpectKeys(KeysOf(random, 1000, 10), 10);
}

TEST(CountKeysTest, CountsTenThousandKeysOfSeveralBlocksIn256Bins) {
  lab::Random random;
  ExpectKeys(KeysOf(random, 10'000, 256), 256);
}

TEST(CountKeysTest, CountsInAnyNumberOfBins) {
  lab::Random random;
  for (const unsigned size : kSizes) {
    Counts keys = KeysOf(random, 6001, size);
    keys[5] = 0;
    keys[6000] = size - 1;
    ExpectKeys(keys, size);
    if (HasFailure()) return;
  }
}

TEST(CountKeysTest, CountsInMoreBinsThanAnySharedMemoryHolds) {
  lab::Random random;
  for (const unsigned size : {100'003u, 262'144u, 1'000'003u}) {
    Counts keys = KeysOf(random, 20'001, size);
    keys[0] = size - 1;
    ExpectKeys(keys, size);
    ExpectKeys(Counts(5001, size - 1), size);
  }
}

TEST(CountKeysTest, CountsOneKeyForEachBin) {
  lab::Random random;
  for (const unsigned size : {256u, 1000u, 12'289u, 70'001u}) {
    Counts keys(size);
    std::iota(keys.begin(), keys.end(), 0u);
    ExpectKeys(keys, size);
    random.Shuffle(keys);
    ExpectKeys(keys, size);
  }
}

TEST(CountKeysTest, CountsAtWarpBlockAndTileEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes()) {
    Counts keys = KeysOf(random, n, 100);
    if (n > 0) keys.front() = keys.back() = 99;
    ExpectKeys(keys, 100);
    if (n % 32 < 2) ExpectKeys(KeysOf(random, n, 70'000), 70'000);
    if (HasFailure()) return;
  }
}

TEST(CountKeysTest, DoesNotCountKeysWithoutABin) {
  lab::Random random;
  for (const unsigned size : {1u, 7u, 256u, 1000u, 12'288u, 12'289u, 70'000u}) {
    ExpectKeys(KeysOf(random, 5001, 2 * size), size);
    ExpectKeys(Counts(3001, size), size);
    ExpectKeys(Counts(3001, kLargest), size);
    Counts keys(5001);
    for (unsigned& key : keys) key = static_cast<unsigned>(random.Next());
    for (std::size_t i = 0; i < keys.size(); i += 5) keys[i] %= size;
    for (std::size_t i = 1; i < keys.size(); i += 5) keys[i] = 0x80000000u + keys[i] % size;
    ExpectKeys(keys, size);
    if (HasFailure()) return;
  }
}

TEST(CountKeysTest, CountsKeysThatAreAllEqual) {
  for (const unsigned size : {1u, 2u, 256u, 5000u, 12'289u, 70'000u}) {
    for (const unsigned key : {0u, size / 2, size - 1}) ExpectKeys(Counts(6001, key), size);
  }
}

TEST(CountKeysTest, CountsKeysThatTakeTurns) {
  for (const unsigned size : {2u, 33u, 256u, 5000u, 70'000u}) {
    Counts keys(6001, 0);
    for (std::size_t i = 1; i < keys.size(); i += 2) keys[i] = size - 1;
    ExpectKeys(keys, size);
    for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = size;
    ExpectKeys(keys, size);
  }
}

TEST(CountKeysTest, CountsSkewedAndSortedKeys) {
  lab::Random random;
  for (const unsigned size : {7u, 256u, 5000u, 70'000u}) {
    Counts keys = SkewedKeys(random, 20'001, size);
    ExpectKeys(keys, size);
    std::sort(keys.begin(), keys.end());
    ExpectKeys(keys, size);
    std::reverse(keys.begin(), keys.end());
    ExpectKeys(keys, size);
  }
}

TEST(CountKeysTest, OverwritesWhatTheBinsHeld) {
  lab::Random random;
  for (const unsigned size : {1u, 10u, 256u, 20'000u, 70'000u}) {
    const Counts keys = KeysOf(random, 3000, size);
    for (const unsigned before : {0u, 1u, kLargest}) {
      ExpectCounts(count_keys, keys, Counts(size, before));
    }
  }
}

TEST(CountKeysTest, GivesZerosForNoKeys) {
  for (const unsigned size : {1u, 256u, 12'289u, 70'000u}) ExpectKeys({}, size);
}

TEST(CountKeysTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (std::size_t call = 0; call < lab::Scaled(30) && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto size = random.UniformInt<unsigned>(1, call % 3 == 0 ? 80'000 : 3000);
    ExpectKeys(KeysOf(random, random.UniformInt<std::size_t>(0, 9000), size + size / 3), size);
  }
}

TEST(CountKeysTest, CountsManyKeys) {
  lab::Random random;
  for (const unsigned size : {3u, 3000u, 65'000u}) {
    ExpectKeys(FastKeys(random, lab::Scaled(1'000'000) + 3, size), size);
  }
  // More than all resident threads have at sixteen each.
  ExpectKeys(FastKeys(random, lab::Scaled(5'000'000) + 3, 256), 256);
}

// Bins that shared memory holds, and more.
TEST(CountKeysTest, ThrowsWhenARuntimeCallFails) {
  lab::Random random;
  for (const unsigned size : {10u, 100'003u}) {
    ExpectCounts(lab::WithFailingCalls(count_keys), KeysOf(random, 1000, size), Counts(size));
  }
}

}  // namespace histogram_test::keys_test
