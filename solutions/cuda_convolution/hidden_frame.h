#pragma once

// Part 6: what is outside the image.

#include <algorithm>
#include <cstddef>
#include <span>

#include "labs/cuda_convolution/convolution.h"
#include "solutions/cuda_convolution/hidden_image.h"

namespace cuda_convolution {

inline const char* NameOf(Boundary boundary) {
  constexpr const char* kNames[] = {"kConstant", "kClamp", "kReflect", "kPeriodic"};
  return kNames[static_cast<int>(boundary)];
}

inline constexpr Boundary kBoundaries[] = {Boundary::kConstant, Boundary::kClamp,
                                           Boundary::kReflect, Boundary::kPeriodic};

// The pixel of a row of n that stands for pixel i; -1 for one that is no pixel.
inline int StandIn(int i, int n, Boundary boundary) {
  const auto modulo = [](int a, int b) { return (a % b + b) % b; };
  switch (boundary) {
    case Boundary::kConstant:
      return i < 0 || i >= n ? -1 : i;
    case Boundary::kClamp:
      return std::clamp(i, 0, n - 1);
    case Boundary::kReflect:
      return std::min(modulo(i, 2 * n), 2 * n - 1 - modulo(i, 2 * n));
    case Boundary::kPeriodic:
      return modulo(i, n);
  }
  return -1;
}

// A problem whose image is that of `problem` and a frame as wide as the radius, so that nothing
// outside it takes part in the pixels inside the frame.
inline Problem Framed(const Problem& problem, Boundary boundary, float outside) {
  const auto [width, height, radius, same_radius] = problem.size;
  Problem framed{{width + 2 * radius, height + 2 * radius, radius, radius}, {}, problem.mask};
  for (int y = -radius; y < height + radius; ++y) {
    const int row = StandIn(y, height, boundary);
    for (int x = -radius; x < width + radius; ++x) {
      const int column = StandIn(x, width, boundary);
      framed.in.push_back(row < 0 || column < 0 ? outside
                                                : problem.in[std::size_t(row) * width + column]);
    }
  }
  return framed;
}

// What is inside the frame.
inline Doubles Inside(const Doubles& framed, const Size& size) {
  Doubles inside;
  for (int y = 0; y < size.height; ++y) {
    const auto row = framed.begin() +
                     std::ptrdiff_t{y + size.radius_y} * (size.width + 2 * size.radius_x) +
                     size.radius_x;
    inside.insert(inside.end(), row, row + size.width);
  }
  return inside;
}

inline Convolver WithTexture(Boundary boundary, float outside) {
  return [boundary, outside](const Problem& problem, Floats& out) {
    const auto [width, height, radius, same_radius] = problem.size;
    convolve_texture(problem.in, problem.mask, out, width, height, radius, boundary, outside);
  };
}

inline void ExpectInside(const Problem& problem, Boundary boundary, float outside) {
  SCOPED_TRACE(testing::Message() << problem.size << ", " << NameOf(boundary) << ", outside "
                                  << outside);
  const Problem framed = Framed(problem, boundary, outside);
  lab::ExpectAllNear(Call(WithTexture(boundary, outside), problem),
                     Inside(ExactPixels(framed), problem.size),
                     std::span<const double>(Inside(Tolerances(framed), problem.size)));
}

// With whole numbers, also for `outside`.
inline void ExpectInsideExactly(const Problem& problem, Boundary boundary, float outside) {
  SCOPED_TRACE(testing::Message() << problem.size << ", " << NameOf(boundary) << ", outside "
                                  << outside);
  const Doubles want = Inside(ExactPixels(Framed(problem, boundary, outside)), problem.size);
  lab::ExpectAllEqual(Call(WithTexture(boundary, outside), problem),
                      Floats(want.begin(), want.end()));
}

}  // namespace cuda_convolution
