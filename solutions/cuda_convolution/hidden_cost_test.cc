// What the simulator counts, on the sizes that lab.toml's thresholds are for, and what is timed.

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/cuda_convolution/convolution.h"
#include "solutions/cuda_convolution/hidden_frame.h"
#include "solutions/cuda_convolution/hidden_image.h"

namespace cuda_convolution::cost_test {

// Part 4 needs memory for the first pass, which a timed call must not include.
using Call = std::function<void(const Problem&, Floats& out, Floats& scratch)>;

template <typename F>
Call Square(const F& function) {
  return [&function](const Problem& problem, Floats& out, Floats&) {
    const auto [width, height, radius, same_radius] = problem.size;
    function(problem.in, problem.mask, out, width, height, radius);
  };
}

void Separable(const Problem& problem, Floats& out, Floats& scratch) {
  const auto [width, height, radius, same_radius] = problem.size;
  convolve_separable(problem.in, problem.row, problem.column, out, scratch, width, height, radius);
}

void Large(const Problem& problem, Floats& out, Floats&) {
  const auto [width, height, radius_x, radius_y] = problem.size;
  convolve_large(problem.in, problem.mask, out, width, height, radius_x, radius_y);
}

using MakeProblem = Problem (*)(const Size&, lab::Random&);

void Count(const Call& call, const Size& size, MakeProblem make) {
  lab::Random random;
  Floats scratch = lab::Poisoned<float>(size.pixels());
  ExpectExactPixels([&](const Problem& given, Floats& out) { call(given, out, scratch); },
                    make(size, random));
}

// Rows of whole sectors: the pixels lie in 2,048 of them, and 512 warps compute one each.
constexpr Size kCounted = {256, 64, 4, 4};

TEST(ConvolveCounted, TakesWholeBlocks) { Count(Square(convolve), kCounted, WholeProblem); }

TEST(ConvolveTiledCounted, TakesWholeBlocks) {
  Count(Square(convolve_tiled), kCounted, WholeProblem);
}

TEST(ConvolveCachedCounted, TakesWholeBlocks) {
  Count(Square(convolve_cached), kCounted, WholeProblem);
}

TEST(ConvolveSeparableCounted, TakesWholeBlocks) {
  Count(Separable, {256, 64, 8, 8}, WholeSeparable);
}

TEST(ConvolveLargeCounted, TakesWholeBlocks) { Count(Large, {192, 96, 15, 7}, WholeProblem); }

TEST(ConvolveTextureCounted, TakesWholeBlocks) {
  lab::Random random;
  ExpectInsideExactly(WholeProblem({256, 64, 2, 2}, random), Boundary::kReflect, 3);
}

// Some ten milliseconds of work; all sums are exact.
void Time(const Call& call, const Size& size, MakeProblem make, double products_a_pixel) {
  const auto pixels = static_cast<double>(size.pixels());
  const lab::Work work{2 * sizeof(float) * pixels, 2 * pixels * products_a_pixel};
  lab::RunTimedPairs(work, [call, size, make](lab::Random& random) -> std::function<void()> {
    struct Case {
      Problem problem;
      Floats want;
    };
    const auto data = std::make_shared<Case>();
    data->problem = make(size, random);
    const Doubles want = ExactPixels(data->problem);
    data->want.assign(want.begin(), want.end());
    return [data, call, pixels = size.pixels()] {
      Floats out = lab::Poisoned<float>(pixels);
      Floats scratch = lab::Poisoned<float>(data->problem.IsSeparable() ? pixels : 0);
      call(data->problem, out, scratch);
      lab::ExpectAllEqual(out, data->want);
    };
  });
}

// On a GPU more pixels, as many as the host can still check.
Size TimedImage(int width, int height, int radius_x, int radius_y) {
  const auto side = [](int n) { return static_cast<int>(lab::TimedSize(n, 8 * std::size_t(n))); };
  return {side(width), side(height), radius_x, radius_y};
}

TEST(ConvolveTiledTiming, TakesWholeBlocks) {
  Time(Square(convolve_tiled), TimedImage(256, 160, 4, 4), WholeProblem, 81);
}

TEST(ConvolveSeparableTiming, TakesWholeBlocks) {
  Time(Separable, TimedImage(256, 256, 8, 8), WholeSeparable, 34);
}

TEST(ConvolveLargeTiming, TakesWholeBlocks) {
  Time(Large, TimedImage(192, 96, 15, 7), WholeProblem, 465);
}

}  // namespace cuda_convolution::cost_test
