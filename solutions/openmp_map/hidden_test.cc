// The hidden tests of ScaledAdd and Digitize.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_map/map.h"
#include "solutions/openmp_map/hidden_sizes.h"

namespace {

const lab::Function<decltype(ScaledAdd)> scaled_add{"ScaledAdd"};
const lab::Function<decltype(Digitize)> digitize{"Digitize"};

bool Same(float got, float want) { return got == want || (std::isnan(got) && std::isnan(want)); }

// Whether `got` is a * x + y in one of the roundings that the contract allows. The product of two
// floats is exact in double; a sum of two floats that goes through double is rounded as in float.
bool IsRight(float a, float x, float y, float got) {
  const double product = static_cast<double>(a) * x;
  const double twice = static_cast<double>(static_cast<float>(product)) + y;
  return Same(got, static_cast<float>(twice)) || Same(got, static_cast<float>(product + y)) ||
         Same(got, std::fma(a, x, y));
}

// Fatal, so that a loop over many inputs stops at the first that fails.
void ExpectScaledAdd(float a, const Floats& x, const Floats& y, const std::string& what) {
  Floats out = lab::Poisoned<float>(x.size());
  scaled_add(a, x, y, out);
  Floats want = out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!IsRight(a, x[i], y[i], out[i])) want[i] = std::fma(a, x[i], y[i]);
  }
  ASSERT_TRUE(lab::ExpectAllEqual(out, want)) << what << ", " << Case(x.size());
}

TEST(ScaledAddTest, AddsEveryElementInTeamsOfAnySizeAtShareLineAndPageEdges) {
  lab::Random random;
  ForEachTeamAndSize([&](std::size_t n) {
    const Floats x = random.Floats(n, -1, 1);
    ExpectScaledAdd(random.UniformFloat(-2, 2), x, random.Floats(n, -1, 1), "random numbers");
  });
}

TEST(ScaledAddTest, RoundsAsTheContractAllows) {
  lab::Random random;
  for (int round = 0; round < 20; ++round) {
    Floats x(1000);
    Floats y(1000);
    const float a = random.UniformFloat(1, 2);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::ldexp(random.UniformFloat(1, 2), random.UniformInt(-20, 20));
      // Near -a * x, where all but the product's last bits cancel.
      y[i] = -a * x[i] * (1 + 0x1p-22f * static_cast<float>(random.UniformInt(-4, 4)));
    }
    ASSERT_NO_FATAL_FAILURE(ExpectScaledAdd(a, x, y, "sums that cancel"));
  }
}

TEST(ScaledAddTest, FollowsIeee754ForNotANumberAndInfinity) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Floats special{0, -0.0f, 1, -1, kInfinity, -kInfinity, NAN, 3e38f, -3e38f, 1e-45f};
  Floats x;
  Floats y;
  for (const float left : special) {
    for (const float right : special) {
      x.push_back(left);
      y.push_back(right);
    }
  }
  for (const float a : special) ExpectScaledAdd(a, x, y, "a = " + std::to_string(a));
}

TEST(ScaledAddTest, TakesOneVectorForBoth) {
  lab::Random random;
  const Floats x = random.Floats(1000, -1, 1);
  Floats out = lab::Poisoned<float>(x.size());
  scaled_add(3, x, x, out);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(IsRight(3, x[i], x[i], out[i])) << i;
}

TEST(ScaledAddTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const std::size_t n = random.UniformInt<std::size_t>(0, 300);
    const Floats x = random.Floats(n, -1, 1);
    ASSERT_NO_FATAL_FAILURE(ExpectScaledAdd(random.UniformFloat(-2, 2), x, random.Floats(n, -1, 1),
                                            "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(ScaledAddTest, [](lab::Random& random, const std::string& what) {
  const Floats x = random.Floats(3000, -1, 1);
  ExpectScaledAdd(2, x, random.Floats(3000, -1, 1), what);
})

TEST(ScaledAddTest, AddsALargeNumberOfElements) {
  lab::Random random;
  const Floats x = random.Floats(lab::Scaled(kLargeSize) + 3, -1, 1);
  ExpectScaledAdd(0.7f, x, random.Floats(x.size(), -1, 1), "a large array");
}

// The exact values, and how far from them a sample may be.
struct Exact {
  std::vector<double> values;
  std::vector<double> tolerances;
};

Exact ExactSamples(float gain, float offset, const Floats& signal) {
  Exact exact;
  for (const float number : signal) {
    const double product = static_cast<double>(gain) * number;
    const double amplified = product + offset;
    const double limited = amplified / (1 + std::abs(amplified));
    const double shaped = limited * (1.5 - 0.5 * limited * limited);
    const double rounding = 0x1p-24 * (std::abs(product) + std::abs(amplified));
    exact.values.push_back(32768 + 32767 * shaped);
    exact.tolerances.push_back(0.5 + 49151 * rounding + 0x1p-6);
  }
  return exact;
}

void ExpectSamples(float gain, float offset, const Floats& signal, const std::string& what) {
  const Exact exact = ExactSamples(gain, offset, signal);
  Counts samples = lab::Poisoned<std::uint16_t>(signal.size());
  digitize(gain, offset, signal, samples);
  ASSERT_TRUE(lab::ExpectAllNear(samples, exact.values, std::span<const double>(exact.tolerances)))
      << what << ", " << Case(signal.size());
}

TEST(DigitizeTest, DigitizesEveryNumberInTeamsOfAnySizeAtShareLineAndPageEdges) {
  lab::Random random;
  ForEachTeamAndSize([&](std::size_t n) {
    ExpectSamples(random.UniformFloat(-4, 4), random.UniformFloat(-1, 1), random.Floats(n, -1, 1),
                  "random numbers");
  });
}

TEST(DigitizeTest, TakesQuietAndLoudSignals) {
  lab::Random random;
  for (int round = 0; round < 20; ++round) {
    Floats signal(1000);
    for (float& number : signal) {
      number = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-140, 50));
    }
    const float gain = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-50, 50));
    ASSERT_NO_FATAL_FAILURE(ExpectSamples(gain, round % 2 == 0 ? 0 : gain, signal, "any size"));
  }
}

TEST(DigitizeTest, RoundsToTheNearestOfAllSamples) {
  // From the quietest to the loudest, in steps that leave out hardly any sample.
  Floats signal;
  for (int i = -100'000; i <= 100'000; ++i)
    signal.push_back(std::ldexp(static_cast<float>(i), -15));
  ExpectSamples(1, 0, signal, "a ramp");
  ExpectSamples(-0x1p10f, 0, signal, "a steep ramp down");
  ExpectSamples(0, 0.25f, signal, "no gain");
}

TEST(DigitizeTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Floats signal = random.Floats(random.UniformInt<std::size_t>(0, 300), -1, 1);
    ASSERT_NO_FATAL_FAILURE(ExpectSamples(random.UniformFloat(-4, 4), random.UniformFloat(-1, 1),
                                          signal, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(DigitizeTest, [](lab::Random& random, const std::string& what) {
  ExpectSamples(3, -0.1f, random.Floats(3000, -1, 1), what);
})

TEST(DigitizeTest, DigitizesALongSignal) {
  lab::Random random;
  ExpectSamples(3, -0.1f, random.Floats(lab::Scaled(kLargeSize) + 3, -1, 1), "a long signal");
}

TEST(ScaledAddTiming, AddsFourMillionElements) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const std::size_t n = Timed(1 << 22, 2);
    Floats x = random.SmallNumbers(n, -2048);
    Floats y = random.SmallNumbers(n, -2048);
    Floats want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = 3 * x[i] + y[i];
    return [x = std::move(x), y = std::move(y), want = std::move(want)] {
      Floats out = lab::Poisoned<float>(x.size());
      scaled_add(3, x, y, out);
      lab::ExpectAllEqual(out, want);
    };
  });
}

TEST(DigitizeTiming, DigitizesFourMillionNumbers) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    // By index + 2048: every number's exact value. With the gain 2^-10 nothing cancels.
    Floats all;
    for (int i = -2048; i < 2048; ++i) all.push_back(static_cast<float>(i));
    const auto exact = ExactSamples(0x1p-10f, 0.125f, all);
    Floats signal = random.SmallNumbers(lab::Scaled(1 << 22), -2048);
    std::vector<double> want(signal.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      want[i] = exact.values[static_cast<std::size_t>(signal[i] + 2048)];
    }
    return [signal = std::move(signal), want = std::move(want)] {
      Counts samples = lab::Poisoned<std::uint16_t>(signal.size());
      digitize(0x1p-10f, 0.125f, signal, samples);
      lab::ExpectAllNear(samples, want, 0.53);
    };
  });
}

}  // namespace
