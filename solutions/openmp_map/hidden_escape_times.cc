// The hidden tests of EscapeTimes.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

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

const lab::Function<decltype(EscapeTimes)> escape_times{"EscapeTimes"};

// As the contract says: products are exact in double, so nothing depends on how they are compiled.
std::uint16_t ExpectedCount(double re, double im, int limit) {
  float x = 0;
  float y = 0;
  int count = 0;
  for (; count < limit; ++count) {
    const double xx = static_cast<double>(x) * x;
    const double yy = static_cast<double>(y) * y;
    if (xx + yy > 4) break;
    y = static_cast<float>(2.0 * x * y + im);
    x = static_cast<float>((xx - yy) + re);
  }
  return static_cast<std::uint16_t>(count);
}

Counts ExpectedImage(const View& view) {
  Counts image;
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      const double step = view.step;
      image.push_back(ExpectedCount(view.left + column * step, view.top - row * step, view.limit));
    }
  }
  return image;
}

void ExpectImage(const View& view, const std::string& what) {
  const Counts want = ExpectedImage(view);
  Counts image = lab::Poisoned<std::uint16_t>(want.size());
  escape_times(view, image);
  ASSERT_TRUE(lab::ExpectAllEqual(image, want))
      << what << ", " << view.width << " columns, " << view.height << " rows, limit " << view.limit;
}

// Somewhere in the square that holds the whole set.
View Somewhere(lab::Random& random, int width, int height, int limit) {
  return {.left = random.UniformFloat(-2, 0),
          .top = random.UniformFloat(0, 1.2f),
          .step = random.UniformFloat(0.001f, 0.1f),
          .width = width,
          .height = height,
          .limit = limit};
}

TEST(EscapeTimesTest, CountsEveryPixelInTeamsOfAnySizeAtShareAndLineEdges) {
  lab::Random random;
  ForEachTeamAndSize([&](std::size_t n) {
    const int size = static_cast<int>(n);
    ASSERT_NO_FATAL_FAILURE(ExpectImage(Somewhere(random, 3, size, 20), "a column"));
    ASSERT_NO_FATAL_FAILURE(ExpectImage(Somewhere(random, size, 2, 20), "a line"));
  });
}

TEST(EscapeTimesTest, TakesImagesWithoutPixels) {
  for (const int size : {0, 1, 65536}) {
    ExpectImage({-2, 1, 0.1f, size, 0, 10}, "no rows");
    ExpectImage({-2, 1, 0.1f, 0, size, 10}, "no columns");
  }
}

TEST(EscapeTimesTest, StopsAtTheLimit) {
  for (const int limit : {0, 1, 2, 3, 255, 256, 32767, 32768, 65535}) {
    ExpectImage({-2, 0.5f, 0.5f, 6, 2, limit}, "a limit");
  }
}

TEST(EscapeTimesTest, GoesOnWhereAPointLiesOnTheCircle) {
  // 2 goes to 2 and then out, -2 to 2 for ever, 2i to -4 + 2i.
  ExpectImage({-2, 2, 2, 3, 3, 100}, "points on the circle");
}

TEST(EscapeTimesTest, CountsStepsFarOutsideAndWhereAllPixelsAreOne) {
  ExpectImage({-3e37f, 3e37f, 1e36f, 60, 60, 100}, "points far outside");
  ExpectImage({-0.1f, 0.1f, 0, 33, 9, 100}, "a step of 0");
  ExpectImage({0.5f, -1.2f, -0.05f, 40, 30, 100}, "a negative step");
}

TEST(EscapeTimesTest, ComputesInDoubleAndKeepsFloats) {
  lab::Random random;
  for (int round = 0; round < 5; ++round) {
    // Where counts change from pixel to pixel; a step is less than a bit of a float.
    View view{-0.7436f, 0.1318f, 1e-8f, 40, 30, 2000};
    view.left += random.UniformFloat(0, 1e-4f);
    ASSERT_NO_FATAL_FAILURE(ExpectImage(view, "a deep look"));
  }
}

TEST(EscapeTimesTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const View view = Somewhere(random, random.UniformInt(0, 30), random.UniformInt(0, 30), 40);
    ASSERT_NO_FATAL_FAILURE(ExpectImage(view, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(EscapeTimesTest, [](lab::Random& random, const std::string& what) {
  ExpectImage(Somewhere(random, 40, 30, 40), what);
})

TEST(EscapeTimesTest, DrawsALargeImage) {
  const int height = static_cast<int>(lab::Scaled(600));
  ExpectImage({-2, 1.2f, 2.4f / static_cast<float>(height), 801, height, 40}, "a large image");
}

TEST(EscapeTimesTiming, CountsAnImageWithNearlyAllWorkInItsLastRows) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    // The edge of the set is at about 0.25 i: above it, in seven eighths of the rows, pixels take
    // few steps, below it 4000 each.
    View view{-1.06f, 1.645f, 0.005f, static_cast<int>(Timed(24, 2)), 320, 4000};
    view.left += random.UniformFloat(0, 0.01f);
    return [view, want = ExpectedImage(view)] {
      Counts image = lab::Poisoned<std::uint16_t>(want.size());
      escape_times(view, image);
      lab::ExpectAllEqual(image, want);
    };
  });
}

}  // namespace
