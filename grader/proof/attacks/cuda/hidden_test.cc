#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "grader/proof/attacks/mixing.h"
#include "labs/attacked_cuda/mix.h"

namespace attacked {
namespace {

const lab::Function<decltype(Mix)> mix{"Mix"};

void ExpectMixed(const Numbers& values, const Numbers& want) {
  Numbers mixed = lab::Poisoned<std::uint32_t>(values.size());
  mix(values, mixed);
  lab::ExpectAllEqual(mixed, want);
}

void ExpectMixed(const Numbers& values) { ExpectMixed(values, AllMixed(values)); }

struct Case {
  Numbers values, want;
};

// Few different numbers, so that computing the expected values takes less time than the GPU does.
Case AnyCase(lab::Random& random, std::size_t n) {
  const Numbers numbers = AnyNumbers(random, 1 << 12);
  const Numbers mixed = AllMixed(numbers);
  Case made{Numbers(n), Numbers(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t chosen = random.Next() % numbers.size();
    made.values[i] = numbers[chosen];
    made.want[i] = mixed[chosen];
  }
  return made;
}

TEST(MixTest, MixesTheHiddenText) { ExpectMixed(HiddenText()); }

TEST(MixTest, MixesEverySizeUpToTen) {
  lab::Random random;
  for (std::size_t n = 0; n <= 10; ++n) {
    ExpectMixed(AnyNumbers(random, n));
    if (HasFailure()) return;
  }
}

TEST(MixTest, MixesManyNumbers) {
  lab::Random random;
  ExpectMixed(AnyNumbers(random, lab::Scaled(2003)));
}

// lab.toml's thresholds are for up to 4,096. The random size hides which call is counted.
TEST(MixCounted, MixesWholeWarps) {
  lab::Random random;
  Numbers values = AnyNumbers(random, 32 * random.UniformInt<std::size_t>(120, 127));
  std::ranges::copy(HiddenText(), values.begin());
  ExpectMixed(values);
}

TEST(MixTiming, MixesManyNumbers) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto data = std::make_shared<Case>(AnyCase(random, lab::TimedSize(40'000, 1 << 25)));
    return [data] { ExpectMixed(data->values, data->want); };
  });
}

}  // namespace
}  // namespace attacked
