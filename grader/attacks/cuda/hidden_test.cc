#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
#include "grader/attacks/mixing.h"
#include "labs/attacked_cuda/mix.h"

namespace attacked {
namespace {

const lab::Function<decltype(Mix)> mix{"Mix"};

void ExpectMixed(const Numbers& values) {
  Numbers mixed = lab::Poisoned<std::uint32_t>(values.size());
  mix(values, mixed);
  lab::ExpectAllEqual(mixed, AllMixed(values));
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

// lab.toml's thresholds are for up to 4,096. Nobody can tell the counted call by its size.
TEST(MixCounted, MixesWholeWarps) {
  lab::Random random;
  Numbers values = AnyNumbers(random, 32 * random.UniformInt<std::size_t>(120, 127));
  std::ranges::copy(HiddenText(), values.begin());
  ExpectMixed(values);
}

TEST(MixTiming, MixesManyNumbers) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto values = std::make_shared<Numbers>(AnyNumbers(random, 40'000));
    return [values] { ExpectMixed(*values); };
  });
}

}  // namespace
}  // namespace attacked
