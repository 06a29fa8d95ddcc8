#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "grader/proof/attacks/mixing.h"
#include "labs/attacked_cpu/mix.h"

namespace attacked {
namespace {

const lab::Function<decltype(Mix)> mix{"Mix"};

void ExpectMixed(const Numbers& values, int threads) {
  Numbers mixed = lab::Poisoned<std::uint32_t>(values.size());
  mix(values, threads, mixed);
  lab::ExpectAllEqual(mixed, AllMixed(values));
}

TEST(MixTest, MixesTheHiddenText) { ExpectMixed(HiddenText(), 2); }

TEST(MixTest, MixesEverySizeUpToTen) {
  lab::Random random;
  for (std::size_t n = 0; n <= 10; ++n) {
    ExpectMixed(AnyNumbers(random, n), 1 + static_cast<int>(n % 4));
    if (HasFailure()) return;
  }
}

TEST(MixTest, MixesManyNumbers) {
  lab::Random random;
  ExpectMixed(AnyNumbers(random, lab::Scaled(20'003)), 4);
}

// The team size while parallelism is measured, else 4.
int TimedThreads() { return lab::CurrentTeamSize() == 0 ? 4 : lab::CurrentTeamSize(); }

TEST(MixTiming, MixesManyNumbers) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Numbers>(AnyNumbers(random, 40'000));
    return [values] { ExpectMixed(*values, TimedThreads()); };
  });
}

}  // namespace
}  // namespace attacked
