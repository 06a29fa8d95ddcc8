// Written from the contract and the handout alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/lab/testing/function.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;

const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};
const lab::Function<decltype(ScaleAndBlur)> scale_and_blur{"ScaleAndBlur"};

constexpr std::size_t kSizes[] = {0,   1,   2,   3,   5,   31,  32,   33,   63,  64,
                                  127, 128, 129, 255, 256, 257, 1023, 1024, 1025};

Floats Numbers(std::size_t n, float factor) {
  Floats values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = factor * static_cast<float>(i % 1009 + 1);
  return values;
}

// Calls add(a, b, c) and compares every bit.
template <typename Add>
void ExpectSums(const Floats& a, const Floats& b, const Add& add) {
  Floats c(a.size(), -77);
  add(a, b, c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(c[i]), std::bit_cast<std::uint32_t>(a[i] + b[i]))
        << i << " of " << a.size();
  }
}

template <typename Add>
void ExpectSumsOfAllSizes(const Add& add) {
  for (const std::size_t n : kSizes) ExpectSums(Numbers(n, 0.37f), Numbers(n, -1.9f), add);
  ExpectSums(Numbers(100'003, 3), Numbers(100'003, 0.1f), add);
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float most = std::numeric_limits<float>::max();
  ExpectSums({tiny, most, -0.0f, 1}, {tiny, most, -0.0f, tiny}, add);
}

const auto kHost = [](const Floats& a, const Floats& b, Floats& c) { vec_add_host(a, b, c); };
const auto kDevice = [](const Floats& a, const Floats& b, Floats& c) { vec_add(a, b, c); };

TEST(VecAddHostTest, AllSizes) { ExpectSumsOfAllSizes(kHost); }

TEST(VecAddTest, AllSizes) { ExpectSumsOfAllSizes(kDevice); }

TEST(VecAddGridStrideTest, AllSizesAndGrids) {
  for (const int blocks : {1, 2, 3, 7, 100}) {
    ExpectSumsOfAllSizes(
        [&](const Floats& a, const Floats& b, Floats& c) { vec_add_grid_stride(a, b, c, blocks); });
  }
}

void ExpectPicture(int width, int height, int percent, int radius) {
  Bytes picture(static_cast<std::size_t>(width) * height);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    picture[i] = static_cast<std::uint8_t>(i * i * 31 % 256);
  }
  Bytes scaled(picture.size(), 99);
  Bytes blurred(picture.size(), 98);
  scale_and_blur(picture, scaled, blurred, width, height, percent, radius);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    ASSERT_EQ(scaled[i], std::min((picture[i] * percent + 50) / 100, 255)) << i << ", " << percent;
  }
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      int sum = 0;
      int pixels = 0;
      for (int r = std::max(row - radius, 0); r <= std::min(row + radius, height - 1); ++r) {
        for (int c = std::max(column - radius, 0); c <= std::min(column + radius, width - 1); ++c) {
          sum += scaled[r * width + c];
          ++pixels;
        }
      }
      ASSERT_EQ(blurred[row * width + column], (sum + pixels / 2) / pixels)
          << row << ", " << column << " of " << height << " x " << width;
    }
  }
}

TEST(ScaleAndBlurTest, AllShapesAndWindows) {
  for (const int width : {1, 2, 15, 16, 17, 33}) {
    for (const int height : {1, 3, 16, 31}) {
      for (const int radius : {0, 1, 2, 40}) ExpectPicture(width, height, 130, radius);
    }
  }
}

TEST(ScaleAndBlurTest, AllBrightnesses) {
  for (const int percent : {0, 1, 50, 99, 100, 101, 200, 1'000'000}) {
    ExpectPicture(20, 20, percent, 1);
  }
}

TEST(ScaleAndBlurTest, NoPixelsAndAWideWindow) {
  ExpectPicture(0, 7, 100, 1);
  ExpectPicture(7, 0, 100, 1);
  ExpectPicture(9, 5, 100, 1000);
}

}  // namespace
