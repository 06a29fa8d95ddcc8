// The public test: a few simple cases for each part. The grader tests more; vecadd.h says what.

#include "labs/cuda_vecadd/vecadd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;

const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};
const lab::Function<decltype(ScaleAndBlur)> scale_and_blur{"ScaleAndBlur"};

// first, first + 1, …: n numbers.
Floats CountFrom(int first, std::size_t n) {
  Floats values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<float>(first + int(i)));
  return values;
}

Floats Sum(const Floats& a, const Floats& b) {
  Floats sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

// Calls add(a, b, c) with n numbers and looks at every element of c.
template <typename Add>
void ExpectSum(std::size_t n, const Add& add) {
  lab::Random random;
  const Floats a = random.Floats(n, -1000, 1000);
  const Floats b = random.Floats(n, -1000, 1000);
  Floats c = lab::Poisoned<float>(n);
  add(a, b, c);
  EXPECT_TRUE(lab::ExpectAllEqual(c, Sum(a, b))) << "with n = " << n;
}

Bytes Scaled(const Bytes& picture, int percent) {
  Bytes scaled;
  for (const int pixel : picture) {
    scaled.push_back(static_cast<std::uint8_t>(std::min((pixel * percent + 50) / 100, 255)));
  }
  return scaled;
}

Bytes Blurred(const Bytes& scaled, int width, int height, int radius) {
  Bytes blurred;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      int sum = 0;
      int pixels = 0;
      for (int r = row - radius; r <= row + radius; ++r) {
        for (int c = column - radius; c <= column + radius; ++c) {
          if (r < 0 || r >= height || c < 0 || c >= width) continue;
          sum += scaled[r * width + c];
          ++pixels;
        }
      }
      blurred.push_back(static_cast<std::uint8_t>((sum + pixels / 2) / pixels));
    }
  }
  return blurred;
}

// Scales and blurs width * height pixels and looks at every pixel of both results.
void ExpectScaledAndBlurred(int width, int height, int percent, int radius) {
  lab::Random random;
  const std::size_t n = static_cast<std::size_t>(width) * height;
  const Bytes picture = random.Vector<std::uint8_t>(n, 0, 255);
  const Bytes want = Scaled(picture, percent);
  Bytes scaled = lab::Poisoned<std::uint8_t>(n);
  Bytes blurred = lab::Poisoned<std::uint8_t>(n);
  scale_and_blur(picture, scaled, blurred, width, height, percent, radius);
  EXPECT_TRUE(lab::ExpectAllEqual(scaled, want))
      << "scaled, with width = " << width << ", height = " << height << ", percent = " << percent;
  EXPECT_TRUE(lab::ExpectAllEqual(blurred, Blurred(want, width, height, radius)))
      << "blurred, with width = " << width << ", height = " << height << ", radius = " << radius;
}

TEST(VecAddHostTest, AddsFourElements) {
  const Floats a = {1, 2, 3, 4};
  const Floats b = {10, 20, 30, 40};
  Floats c = lab::Poisoned<float>(4);
  vec_add_host(a, b, c);
  EXPECT_EQ(c, (Floats{11, 22, 33, 44}));
}

TEST(VecAddHostTest, AddsAThousandElements) { ExpectSum(1000, vec_add_host); }

TEST(VecAddHostTest, AddsAMillionElements) { ExpectSum(1'000'003, vec_add_host); }

TEST(VecAddHostTest, DoesNothingForEmptyVectors) { ExpectSum(0, vec_add_host); }

TEST(VecAddHostTest, ThrowsAndFreesItsMemoryWhenARuntimeCallFails) {
  ExpectSum(100, lab::WithFailingCalls(vec_add_host));
}

TEST(VecAddTest, AddsFourElements) {
  Floats c = lab::Poisoned<float>(4);
  vec_add(CountFrom(1, 4), CountFrom(100, 4), c);
  EXPECT_EQ(c, (Floats{101, 103, 105, 107}));
}

TEST(VecAddTest, AddsElementsThatFillWholeBlocks) { ExpectSum(1024, vec_add); }

TEST(VecAddTest, AddsOneElementMoreThanWholeBlocks) { ExpectSum(1025, vec_add); }

TEST(VecAddTest, AddsAMillionElements) { ExpectSum(1'000'003, vec_add); }

TEST(VecAddTest, DoesNothingForEmptyVectors) { ExpectSum(0, vec_add); }

TEST(VecAddTest, ThrowsWhenARuntimeCallFails) { ExpectSum(100, lab::WithFailingCalls(vec_add)); }

auto WithBlocks(int blocks) {
  return [blocks](const Floats& a, const Floats& b, Floats& c) {
    vec_add_grid_stride(a, b, c, blocks);
  };
}

TEST(VecAddGridStrideTest, AddsFourElementsWithOneBlock) { ExpectSum(4, WithBlocks(1)); }

TEST(VecAddGridStrideTest, AddsManyElementsWithOneBlock) { ExpectSum(100'003, WithBlocks(1)); }

TEST(VecAddGridStrideTest, AddsManyElementsWithThreeBlocks) { ExpectSum(100'003, WithBlocks(3)); }

TEST(VecAddGridStrideTest, WorksWithMoreBlocksThanElements) { ExpectSum(5, WithBlocks(32)); }

TEST(VecAddGridStrideTest, DoesNothingForEmptyVectors) { ExpectSum(0, WithBlocks(4)); }

TEST(VecAddGridStrideTest, ThrowsWhenARuntimeCallFails) {
  ExpectSum(100, lab::WithFailingCalls(WithBlocks(2)));
}

TEST(ScaleAndBlurTest, BlursThreeByTwoPixels) {
  const Bytes picture = {10, 20, 30,  //
                         40, 50, 60};
  Bytes scaled = lab::Poisoned<std::uint8_t>(6);
  Bytes blurred = lab::Poisoned<std::uint8_t>(6);
  scale_and_blur(picture, scaled, blurred, 3, 2, 200, 1);
  EXPECT_EQ(scaled, (Bytes{20, 40, 60,  //
                           80, 100, 120}));
  EXPECT_EQ(blurred, (Bytes{60, 70, 80,  //
                            60, 70, 80}));
}

TEST(ScaleAndBlurTest, ScalesWithoutABlur) { ExpectScaledAndBlurred(40, 30, 50, 0); }

TEST(ScaleAndBlurTest, BlursWholeBlocks) { ExpectScaledAndBlurred(256, 72, 150, 2); }

TEST(ScaleAndBlurTest, BlursPartsOfBlocks) { ExpectScaledAndBlurred(101, 43, 100, 3); }

TEST(ScaleAndBlurTest, ClipsWindowsLargerThanThePicture) { ExpectScaledAndBlurred(4, 7, 100, 20); }

TEST(ScaleAndBlurTest, DoesNothingForEmptyPictures) {
  ExpectScaledAndBlurred(0, 0, 100, 1);
  ExpectScaledAndBlurred(5, 0, 100, 1);
  ExpectScaledAndBlurred(0, 5, 100, 1);
}

TEST(ScaleAndBlurTest, ThrowsWhenARuntimeCallFails) {
  Bytes scaled(4);
  Bytes blurred(4);
  lab::WithFailingCalls(scale_and_blur)(Bytes{1, 2, 3, 4}, scaled, blurred, 2, 2, 300, 0);
  EXPECT_EQ(blurred, (Bytes{3, 6, 9, 12}));
}

}  // namespace
