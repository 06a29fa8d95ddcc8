// The public test: a few simple cases for each part. The grader tests more; map.h says what.

#include "labs/openmp_map/map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

using Floats = std::vector<float>;
using Counts = std::vector<std::uint16_t>;

const lab::Function<decltype(ScaledAdd)> scaled_add{"ScaledAdd"};
const lab::Function<decltype(EscapeTimes)> escape_times{"EscapeTimes"};
const lab::Function<decltype(Digitize)> digitize{"Digitize"};

void ExpectCounts(const View& view, const Counts& want) {
  Counts image = lab::Poisoned<std::uint16_t>(want.size());
  escape_times(view, image);
  lab::ExpectAllEqual(image, want);
}

TEST(ScaledAddTest, AddsThreeNumbers) {
  Floats out = lab::Poisoned<float>(3);
  scaled_add(2, Floats{1, 2, 3}, Floats{10, 20, 30}, out);
  lab::ExpectAllEqual(out, Floats{12, 24, 36});
}

TEST(ScaledAddTest, AddsNothingToNothing) {
  Floats out;
  scaled_add(2, Floats(), Floats(), out);
}

TEST(ScaledAddTest, AddsManyNumbers) {
  lab::Random random;
  Floats x(100'003);
  Floats y(100'003);
  Floats want(100'003);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(random.UniformInt(-1000, 1000));
    y[i] = static_cast<float>(random.UniformInt(-1000, 1000));
    want[i] = 3 * x[i] + y[i];
  }
  Floats out = lab::Poisoned<float>(x.size());
  scaled_add(3, x, y, out);
  lab::ExpectAllEqual(out, want);
}

TEST(EscapeTimesTest, CountsTheStepsOfOneRow) {
  // The points -2, -1, 0 and 1 on the real axis. 0 -> 1 -> 2 -> 5: out of the circle in 3 steps.
  ExpectCounts({.left = -2, .top = 0, .step = 1, .width = 4, .height = 1, .limit = 50},
               {50, 50, 50, 3});
}

TEST(EscapeTimesTest, PutsTheTopRowFirst) {
  // The points 0 and 1 above, -i and 1 - i below.
  ExpectCounts({.left = 0, .top = 0, .step = 1, .width = 2, .height = 2, .limit = 9}, {9, 3, 9, 2});
}

TEST(EscapeTimesTest, CountsNothingForAnImageWithoutPixels) {
  ExpectCounts({.left = 0, .top = 0, .step = 1, .width = 0, .height = 7, .limit = 9}, {});
}

TEST(EscapeTimesTest, DrawsThePictureOfTheHandout) {
  ExpectCounts({.left = -2, .top = 1, .step = 0.5f, .width = 6, .height = 5, .limit = 20},
               {1,  2,  3,  4,  20, 2,  //
                1,  3,  5,  20, 20, 5,  //
                20, 20, 20, 20, 20, 5,  //
                1,  3,  5,  20, 20, 5,  //
                1,  2,  3,  4,  20, 2});
}

TEST(DigitizeTest, PutsSilenceInTheMiddle) {
  Counts samples = lab::Poisoned<std::uint16_t>(2);
  digitize(1, 0.5f, Floats{-0.5f, -0.5f}, samples);
  lab::ExpectAllEqual(samples, Counts{32768, 32768});
}

TEST(DigitizeTest, LimitsWhatIsLoud) {
  // 3 is limited to 0.75 and shaped to 0.9140625; -1 to -0.5 and to -0.6875.
  Counts samples = lab::Poisoned<std::uint16_t>(4);
  digitize(2, 1, Floats{1, -1, 1e9f, -1e9f}, samples);
  lab::ExpectAllEqual(samples, Counts{62719, 10241, 65535, 1});
}

TEST(DigitizeTest, DigitizesALongSignal) {
  lab::Random random;
  const Floats signal = random.Floats(100'003, -1, 1);
  std::vector<double> want;
  for (const double number : signal) {
    const double amplified = 4 * number + 0.25;
    const double limited = amplified / (1 + std::abs(amplified));
    want.push_back(32768 + 32767 * (limited * (1.5 - 0.5 * limited * limited)));
  }
  Counts samples = lab::Poisoned<std::uint16_t>(signal.size());
  digitize(4, 0.25f, signal, samples);
  lab::ExpectAllNear(samples, want, 0.55);
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(ScaledAddTest, ShowsHowParallelItIs) {
  const Floats x(lab::Scaled(1 << 24), 1);
  Floats out(x.size());
  lab::ShowParallelism([&](int) { scaled_add(2, x, x, out); });
}

TEST(EscapeTimesTest, ShowsHowParallelItIs) {
  const View view{-1.06f, 1.645f, 0.005f, 24, 320, static_cast<int>(lab::Scaled(8000))};
  Counts image(24 * 320);
  lab::ShowParallelism([&](int) { escape_times(view, image); });
}

TEST(DigitizeTest, ShowsHowParallelItIs) {
  const Floats signal(lab::Scaled(1 << 23), 0.5f);
  Counts samples(signal.size());
  lab::ShowParallelism([&](int) { digitize(4, 0.25f, signal, samples); });
}

}  // namespace
