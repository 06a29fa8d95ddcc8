#pragma once

// What the hidden tests add, and what they expect.
//
// A float addition is rounded once, so every expected element is exact and nothing is tolerated.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace cuda_vecadd {

inline const lab::Function<decltype(VecAddHost)> vec_add_host{"VecAddHost"};
inline const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
inline const lab::Function<decltype(VecAddGridStride)> vec_add_grid_stride{"VecAddGridStride"};

using Floats = std::vector<float>;
using Limits = std::numeric_limits<float>;

inline constexpr std::size_t kWarp = 32;
inline constexpr std::size_t kUsualBlock = 256;
inline constexpr std::size_t kLargestBlock = 1024;  // also the floats of a page
inline constexpr std::size_t kLargeSize = 1 << 18;

// One of the three functions, with what it needs besides the vectors already chosen.
using Add = std::function<void(std::span<const float>, std::span<const float>, std::span<float>)>;

inline Floats Sum(const Floats& a, const Floats& b) {
  Floats sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

// Expects got == want, and that zeros have the sign of the expected ones.
inline void ExpectSame(const Floats& got, const Floats& want) {
  if (!lab::ExpectAllEqual(got, want)) return;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] != 0) continue;
    ASSERT_EQ(std::signbit(got[i]), std::signbit(want[i])) << "sign of the zero in element " << i;
  }
}

inline void ExpectSum(const Add& add, const Floats& a, const Floats& b) {
  SCOPED_TRACE("with n = " + std::to_string(a.size()));
  Floats c = lab::Poisoned<float>(a.size());
  add(a, b, c);
  ExpectSame(c, Sum(a, b));
}

inline void ExpectSum(const Add& add, std::size_t n, lab::Random& random) {
  const Floats a = random.Floats(n, -1000, 1000);
  const Floats b = random.Floats(n, -1000, 1000);
  ExpectSum(add, a, b);
}

// Sizes at which warps, blocks and pages begin and end.
inline std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes;
  for (const std::size_t width : {kWarp, kUsualBlock, kLargestBlock}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  return sizes;
}

// Every pair of: zeros, ones, the smallest and largest numbers, infinities, NaN, and numbers whose
// sum is rounded to even, up or down.
inline void ExpectSpecialValues(const Add& add) {
  const float specials[] = {0.0f,     1.0f,          Limits::min(),       Limits::denorm_min(),
                            0x1p24f,  0x1.000002p0f, Limits::max(),       Limits::infinity(),
                            0x1p-24f, 0x1.8p-24f,    Limits::quiet_NaN(), 0x1.fffffep-127f};
  Floats a;
  Floats b;
  for (const float x : specials) {
    for (const float y : specials) {
      a.insert(a.end(), {x, x, -x, -x});
      b.insert(b.end(), {y, -y, y, -y});
    }
  }
  ExpectSum(add, a, b);
}

// All bit patterns are equally likely: numbers of every size, some of them special.
inline Floats AnyFloats(lab::Random& random, std::size_t n) {
  Floats values(n);
  for (float& value : values) {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next() >> 32));
  }
  return values;
}

inline void ExpectLargeSum(const Add& add, lab::Random& random) {
  ExpectSum(add, lab::Scaled(kLargeSize) + 3, random);
}

}  // namespace cuda_vecadd
