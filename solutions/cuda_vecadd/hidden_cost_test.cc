// What the simulator counts, on sizes that lab.toml's thresholds are for, and what is timed.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/cuda_vecadd/hidden_picture.h"
#include "solutions/cuda_vecadd/hidden_sum.h"

namespace cuda_vecadd::cost_test {

Add WithBlocks(int blocks) {
  return [blocks](std::span<const float> a, std::span<const float> b, std::span<float> c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

// What the simulator counts: whole warps and a few more, so that the ends of arrays weigh little.
// Always the same sizes: thresholds in lab.toml are on these.
constexpr std::size_t kCountedSize = 64 * 256 + 5;

TEST(VecAddCounted, AddsWholeBlocksAndAFewMore) {
  lab::Random random;
  ExpectSum(vec_add, kCountedSize, random);
}

// Large enough to tell a grid of many blocks from one block of 1,024 threads.
constexpr std::size_t kParallelSize = (1 << 18) + 5;

TEST(VecAddHostParallelCounted, AddsAQuarterOfAMillionElements) {
  lab::Random random;
  ExpectSum(vec_add_host, kParallelSize, random);
}

TEST(VecAddParallelCounted, AddsAQuarterOfAMillionElements) {
  lab::Random random;
  ExpectSum(vec_add, kParallelSize, random);
}

TEST(VecAddGridStrideParallelCounted, AddsAQuarterOfAMillionElementsWith256Blocks) {
  lab::Random random;
  ExpectSum(WithBlocks(256), kParallelSize, random);
}

TEST(VecAddGridStrideCounted, AddsManyRoundsAndAFewMore) {
  lab::Random random;
  ExpectSum(WithBlocks(8), kCountedSize, random);
}

void CallScaleAndBlur(const Picture& picture, Pictures& out, int percent, int radius) {
  scale_and_blur(picture.pixels, out.scaled, out.blurred, picture.width, picture.height, percent,
                 radius);
}

// Rows of whole sectors: 18,432 pixels lie in 576 of them.
TEST(ScaleAndBlurCounted, BlursWholeBlocks) {
  lab::Random random;
  ExpectScaledAndBlurred(CallScaleAndBlur, AnyPicture(256, 72, random), 150, 2);
}

// Large enough for eight blocks and more, however many pixels each of them takes.
TEST(ScaleAndBlurBlocksCounted, BlursAQuarterOfAMillionPixels) {
  lab::Random random;
  ExpectScaledAndBlurred(CallScaleAndBlur, AnyPicture(512, 512, random), 150, 2);
}

// Small whole numbers, made faster than one by one from the stream. n is a multiple of four.
Floats FastFloats(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (std::size_t i = 0; i < values.size(); i += 4) {
    std::uint64_t bits = random.Next();
    for (std::size_t j = i; j < i + 4; ++j, bits >>= 16) {
      values[j] = static_cast<float>(bits & 0xffff);
    }
  }
  return values;
}

// With n for some milliseconds of work.
void TimeAdd(const lab::Work& work, const Add& add, std::size_t n) {
  lab::RunTimedPairs(work, [&add, n](lab::Random& random) -> std::function<void()> {
    struct Case {
      Floats a, b, want;
    };
    const auto data = std::make_shared<Case>();
    data->a = FastFloats(random, n);
    data->b = FastFloats(random, n);
    data->want = Sum(data->a, data->b);
    return [data, &add] {
      Floats c = lab::Poisoned<float>(data->want.size());
      add(data->a, data->b, c);
      lab::ExpectAllEqual(c, data->want);
    };
  });
}

// Two vectors read and one written.
lab::Work WorkOfAdd(std::size_t n) { return {3.0 * sizeof(float) * n, 1.0 * n}; }

// The copies between host and device take nearly all of it: no work for the device to be good at.
TEST(VecAddHostTiming, AddsAMillionElements) {
  TimeAdd({}, vec_add_host, lab::TimedSize(1 << 20, 1 << 24));
}

TEST(VecAddTiming, AddsTwoMillionElements) {
  const std::size_t n = lab::TimedSize(1 << 21, 1 << 25);
  TimeAdd(WorkOfAdd(n), vec_add, n);
}

TEST(VecAddGridStrideTiming, AddsAMillionElementsWith256Blocks) {
  const std::size_t n = lab::TimedSize(1 << 20, 1 << 25);
  TimeAdd(WorkOfAdd(n), WithBlocks(256), n);
}

TEST(ScaleAndBlurTiming, BlursAQuarterOfAMillionPixels) {
  const int side = static_cast<int>(lab::TimedSize(500, 3000));
  const lab::Work one_read_two_written{3.0 * side * side};
  lab::RunTimedPairs(one_read_two_written, [side](lab::Random& random) -> std::function<void()> {
    struct Case {
      Picture picture;
      Pictures want;
    };
    const auto data = std::make_shared<Case>();
    data->picture = AnyPicture(side, side, random);
    data->want = ExpectedOf(data->picture, 150, 2);
    return [data] {
      Pictures out = PoisonedFor(data->picture);
      CallScaleAndBlur(data->picture, out, 150, 2);
      ExpectSame(out, data->want);
    };
  });
}

}  // namespace cuda_vecadd::cost_test
