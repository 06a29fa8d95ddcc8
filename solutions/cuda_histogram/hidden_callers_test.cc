// The hidden test of the lab "Histogram on a GPU": calls of several threads at the same time.

#include <gtest/gtest.h>

#include <string>

#include "common/lab/call/callers.h"
#include "solutions/cuda_histogram/hidden_inputs.h"
#include "solutions/cuda_histogram/hidden_keys.h"

namespace histogram_test::callers_test {

void ExpectServed(const Count& count) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectLetters(count, TextOf(random, 10'000, kLettersAndSpace));
  });
}

TEST(CountLettersTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(count_letters); }

TEST(CountLettersPrivateTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  ExpectServed(count_letters_private);
}

TEST(CountLettersAggregatedTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  ExpectServed(count_letters_aggregated);
}

// With bins in shared memory, and with more than that holds.
TEST(CountKeysTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    for (const unsigned size : {256u, 70'000u}) {
      ExpectCounts(count_keys, KeysOf(random, 10'000, size), lab::Poisoned<unsigned>(size));
    }
  });
}

}  // namespace histogram_test::callers_test
