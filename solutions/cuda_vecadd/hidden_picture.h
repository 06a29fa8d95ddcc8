#pragma once

// What the hidden tests of part 4 scale and blur, and what they expect: whole numbers, exactly.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace cuda_vecadd {

inline const lab::Function<decltype(ScaleAndBlur)> scale_and_blur{"ScaleAndBlur"};

using Bytes = std::vector<std::uint8_t>;

struct Picture {
  int width, height;
  Bytes pixels;
};

struct Pictures {
  Bytes scaled, blurred;
};

// The lab's function for one picture.
using ScaleThenBlur =
    std::function<void(const Picture& picture, Pictures& out, int percent, int radius)>;

inline Picture AnyPicture(int width, int height, lab::Random& random) {
  const std::size_t n = std::size_t(width) * height;
  return {width, height, random.Vector<std::uint8_t>(n, 0, 255)};
}

// Black and white alone.
inline Picture ExtremePicture(int width, int height, lab::Random& random) {
  Picture picture = AnyPicture(width, height, random);
  for (std::uint8_t& pixel : picture.pixels) pixel = pixel % 2 == 0 ? 0 : 255;
  return picture;
}

inline Picture EvenPicture(int width, int height, int value) {
  return {width, height, Bytes(std::size_t(width) * height, static_cast<std::uint8_t>(value))};
}

inline Bytes ScaledOf(const Bytes& pixels, int percent) {
  Bytes scaled;
  for (const std::int64_t pixel : pixels) {
    const std::int64_t rounded = (2 * pixel * percent + 100) / 200;
    scaled.push_back(static_cast<std::uint8_t>(std::min<std::int64_t>(rounded, 255)));
  }
  return scaled;
}

// sums[r * (width + 1) + c] adds up the pixels above row r and left of column c.
inline std::vector<std::int64_t> CornerSums(const Bytes& pixels, int width, int height) {
  const std::size_t pitch = std::size_t(width) + 1;
  std::vector<std::int64_t> sums(pitch * (std::size_t(height) + 1));
  for (std::size_t r = 0; r < std::size_t(height); ++r) {
    std::int64_t row = 0;
    for (std::size_t c = 0; c < std::size_t(width); ++c) {
      row += pixels[r * width + c];
      sums[(r + 1) * pitch + c + 1] = sums[r * pitch + c + 1] + row;
    }
  }
  return sums;
}

inline Bytes BlurredOf(const Bytes& pixels, int width, int height, int radius) {
  const std::vector<std::int64_t> sums = CornerSums(pixels, width, height);
  const auto sum_at = [&](std::int64_t r, std::int64_t c) { return sums[r * (width + 1) + c]; };
  Bytes blurred;
  for (int row = 0; row < height; ++row) {
    const int top = std::max(row - radius, 0), bottom = std::min(row + radius + 1, height);
    for (int column = 0; column < width; ++column) {
      const int left = std::max(column - radius, 0), right = std::min(column + radius + 1, width);
      const std::int64_t sum =
          sum_at(bottom, right) - sum_at(top, right) - sum_at(bottom, left) + sum_at(top, left);
      const std::int64_t pixels_there = std::int64_t{bottom - top} * (right - left);
      blurred.push_back(static_cast<std::uint8_t>((2 * sum + pixels_there) / (2 * pixels_there)));
    }
  }
  return blurred;
}

inline Pictures ExpectedOf(const Picture& picture, int percent, int radius) {
  Pictures want;
  want.scaled = ScaledOf(picture.pixels, percent);
  want.blurred = BlurredOf(want.scaled, picture.width, picture.height, radius);
  return want;
}

inline Pictures PoisonedFor(const Picture& picture) {
  const std::size_t n = picture.pixels.size();
  return {lab::Poisoned<std::uint8_t>(n), lab::Poisoned<std::uint8_t>(n)};
}

// Of the two pictures the first that is wrong is told.
inline void ExpectSame(const Pictures& got, const Pictures& want) {
  const auto is = [](const char* name) {
    return testing::Message() << "pixel row * width + column of `" << name << "`";
  };
  {
    SCOPED_TRACE(is("scaled"));
    if (!lab::ExpectAllEqual(got.scaled, want.scaled)) return;
  }
  SCOPED_TRACE(is("blurred"));
  lab::ExpectAllEqual(got.blurred, want.blurred);
}

inline void ExpectScaledAndBlurred(const ScaleThenBlur& function, const Picture& picture,
                                   int percent, int radius) {
  SCOPED_TRACE(testing::Message() << "with width = " << picture.width
                                  << ", height = " << picture.height << ", percent = " << percent
                                  << ", radius = " << radius);
  Pictures out = PoisonedFor(picture);
  function(picture, out, percent, radius);
  ExpectSame(out, ExpectedOf(picture, percent, radius));
}

}  // namespace cuda_vecadd
