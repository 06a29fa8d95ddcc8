#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "grader/proof/attacks/mixing.h"
#include "labs/attacked_mpi/mix.h"

namespace attacked {
namespace {

const lab::Function<decltype(Mix)> mix{"Mix"};

// By rank.
using Parts = std::vector<Numbers>;

void ExpectMixed(const Parts& values) {
  const std::size_t ranks = values.size();
  Parts mixed(ranks);
  for (Numbers& part : mixed) part = lab::Poisoned<std::uint32_t>(values[0].size());
  mix(values, mixed);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    lab::ExpectAllEqual(mixed[rank], AllMixed(values[(rank + ranks - 1) % ranks]));
  }
}

Parts AnyParts(lab::Random& random, std::size_t ranks, std::size_t n) {
  Parts parts;
  for (std::size_t rank = 0; rank < ranks; ++rank) parts.push_back(AnyNumbers(random, n));
  return parts;
}

TEST(MixTest, MixesTheHiddenText) { ExpectMixed(Parts(3, HiddenText())); }

TEST(MixTest, MixesInEveryNumberOfRanks) {
  lab::Random random;
  for (std::size_t ranks = 1; ranks <= 8 && !HasFailure(); ++ranks) {
    ExpectMixed(AnyParts(random, ranks, 5 * ranks));
  }
}

// lab.toml's thresholds are for these.
TEST(MixCounted, SendsEachValueOnce) {
  lab::Random random;
  ExpectMixed(AnyParts(random, 8, 64));
}

}  // namespace
}  // namespace attacked
