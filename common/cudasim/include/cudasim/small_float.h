// Floating-point numbers of 16 bits, for cuda_fp16.h and cuda_bf16.h.  Arithmetic rounds once, to
// nearest even: a float has more than twice the bits, so that rounding its result again changes
// nothing (fma, where it could, goes through a double rounded to odd).
#pragma once

#include <type_traits>

#include "cudasim/vector_types.h"

namespace cudasim {

// The number nearest to the exact value `nearest + error`, but with an odd last bit if inexact, so
// that a second rounding to half the bits is correct.
CUDASIM_BRANCHLESS double ToOdd(double nearest, double error) {
  if (!(__builtin_fabs(error) > 0)) return nearest;  // exact, infinite or not a number
  auto bits = __builtin_bit_cast(unsigned long long, nearest);
  if ((error > 0) != (nearest > 0)) --bits;
  return __builtin_bit_cast(double, bits | 1);
}

CUDASIM_BRANCHLESS float ToOddFloat(double x) {
  const auto nearest = static_cast<float>(x);
  const double error = x - static_cast<double>(nearest);
  if (!(__builtin_fabs(error) > 0)) return nearest;
  auto bits = __builtin_bit_cast(unsigned, nearest);
  if ((error > 0) != (x > 0)) --bits;
  return __builtin_bit_cast(float, bits | 1);
}

// IEEE binary16: 5 bits of exponent, 10 of fraction.
struct HalfFormat {
  static CUDASIM_BRANCHLESS unsigned short Narrow(float x) {
    unsigned bits = __builtin_bit_cast(unsigned, x);
    const unsigned sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits > 0x7f800000u) return 0x7fff;
    if (bits >= 0x47800000u) return static_cast<unsigned short>(sign | 0x7c00u);  // 65536 and more
    if (bits < 0x38800000u) {
      // Subnormal: in 0.5 + x the last bit of the sum is that of the result.
      const float sum = __builtin_bit_cast(float, bits) + 0.5f;
      return static_cast<unsigned short>(sign | (__builtin_bit_cast(unsigned, sum) - 0x3f000000u));
    }
    bits += 0xfffu + (bits >> 13 & 1u);
    return static_cast<unsigned short>(sign | (bits - 0x38000000u) >> 13);
  }
  static CUDASIM_BRANCHLESS float Widen(unsigned short bits) {
    const unsigned sign = (bits & 0x8000u) << 16;
    const unsigned rest = bits & 0x7fffu;
    if (rest >= 0x7c00u) return __builtin_bit_cast(float, sign | 0x7f800000u | rest << 13);
    // Scaled by 2^112, which also normalises subnormals.
    const float size = __builtin_bit_cast(float, rest << 13) * 0x1p112f;
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, size));
  }
};

// The upper half of a float.
struct BfloatFormat {
  static CUDASIM_BRANCHLESS unsigned short Narrow(float x) {
    const unsigned bits = __builtin_bit_cast(unsigned, x);
    if (x != x) return 0x7fff;
    return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  }
  static CUDASIM_INLINE float Widen(unsigned short bits) {
    return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16);
  }
};

template <class Format>
struct SmallFloat {
  unsigned short bits;

  SmallFloat() = default;
  CUDASIM_INLINE SmallFloat(const SmallFloat&) = default;
  CUDASIM_INLINE SmallFloat& operator=(const SmallFloat&) = default;
  template <class T>
  requires std::is_arithmetic_v<T> CUDASIM_INLINE SmallFloat(T x)
      : bits(Format::Narrow(ToOddFloat(static_cast<double>(x)))) {}
  template <class Other>
  explicit CUDASIM_INLINE SmallFloat(SmallFloat<Other> x) : SmallFloat(static_cast<float>(x)) {}
  static CUDASIM_INLINE SmallFloat FromBits(unsigned short bits) {
    SmallFloat x;
    x.bits = bits;
    return x;
  }
  CUDASIM_INLINE operator float() const { return Format::Widen(bits); }

#define CUDASIM_SMALL_OPERATOR(op, name)                                                        \
  friend CUDASIM_INLINE SmallFloat name(SmallFloat a, SmallFloat b) {                           \
    return SmallFloat(static_cast<float>(a) op static_cast<float>(b));                          \
  }                                                                                             \
  friend CUDASIM_INLINE SmallFloat name##_rn(SmallFloat a, SmallFloat b) { return name(a, b); } \
  friend CUDASIM_INLINE SmallFloat name##_sat(SmallFloat a, SmallFloat b) {                     \
    return Saturated(name(a, b));                                                               \
  }                                                                                             \
  friend CUDASIM_INLINE SmallFloat operator op(const SmallFloat& a, const SmallFloat& b) {      \
    return name(a, b);                                                                          \
  }                                                                                             \
  CUDASIM_INLINE SmallFloat& operator op##=(const SmallFloat& b) { return *this = name(*this, b); }
  CUDASIM_SMALL_OPERATOR(+, __hadd)
  CUDASIM_SMALL_OPERATOR(-, __hsub)
  CUDASIM_SMALL_OPERATOR(*, __hmul)
  CUDASIM_SMALL_OPERATOR(/, __hdiv)
#undef CUDASIM_SMALL_OPERATOR

  // Ordered comparisons, false for NaN; those with u are true for NaN.
#define CUDASIM_SMALL_COMPARE(op, name)                                                    \
  friend CUDASIM_BRANCHLESS bool name(SmallFloat a, SmallFloat b) {                        \
    return static_cast<float>(a) op static_cast<float>(b) && !__hisnan(a) && !__hisnan(b); \
  }                                                                                        \
  friend CUDASIM_BRANCHLESS bool name##u(SmallFloat a, SmallFloat b) {                     \
    return name(a, b) || __hisnan(a) || __hisnan(b);                                       \
  }                                                                                        \
  friend CUDASIM_INLINE bool operator op(const SmallFloat& a, const SmallFloat& b) {       \
    return static_cast<float>(a) op static_cast<float>(b);                                 \
  }
  CUDASIM_SMALL_COMPARE(==, __heq)
  CUDASIM_SMALL_COMPARE(!=, __hne)
  CUDASIM_SMALL_COMPARE(<, __hlt)
  CUDASIM_SMALL_COMPARE(<=, __hle)
  CUDASIM_SMALL_COMPARE(>, __hgt)
  CUDASIM_SMALL_COMPARE(>=, __hge)
#undef CUDASIM_SMALL_COMPARE

#define CUDASIM_SMALL_FUNCTION(name, expression)            \
  friend CUDASIM_BRANCHLESS SmallFloat name(SmallFloat h) { \
    const auto x = static_cast<float>(h);                   \
    return SmallFloat(expression);                          \
  }
  CUDASIM_SMALL_FUNCTION(hsqrt, __builtin_sqrtf(x))
  CUDASIM_SMALL_FUNCTION(hrsqrt, 1.0 / __builtin_sqrt(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hrcp, 1.0f / x)
  CUDASIM_SMALL_FUNCTION(hexp, __builtin_exp(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hexp2, __builtin_exp2(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hexp10, __builtin_exp10(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hlog, __builtin_log(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hlog2, __builtin_log2(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hlog10, __builtin_log10(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hsin, __builtin_sin(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hcos, __builtin_cos(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(htanh, __builtin_tanh(static_cast<double>(x)))
  CUDASIM_SMALL_FUNCTION(hfloor, __builtin_floorf(x))
  CUDASIM_SMALL_FUNCTION(hceil, __builtin_ceilf(x))
  CUDASIM_SMALL_FUNCTION(htrunc, __builtin_truncf(x))
  CUDASIM_SMALL_FUNCTION(hrint, __builtin_rintf(x))
#undef CUDASIM_SMALL_FUNCTION

  friend CUDASIM_INLINE SmallFloat __hneg(SmallFloat a) { return FromBits(a.bits ^ 0x8000u); }
  friend CUDASIM_INLINE SmallFloat __habs(SmallFloat a) { return FromBits(a.bits & 0x7fffu); }
  friend CUDASIM_INLINE bool __hisnan(SmallFloat a) {
    return static_cast<float>(a) != static_cast<float>(a);
  }
  // 1 or -1 for an infinity, else 0.
  friend CUDASIM_INLINE int __hisinf(SmallFloat a) {
    return __builtin_isinf_sign(static_cast<float>(a));
  }
  // If one argument is NaN, the other.
  friend CUDASIM_BRANCHLESS SmallFloat __hmax(SmallFloat a, SmallFloat b) {
    return __hisnan(a) || (!__hisnan(b) && a < b) ? b : a;
  }
  friend CUDASIM_BRANCHLESS SmallFloat __hmin(SmallFloat a, SmallFloat b) {
    return __hisnan(a) || (!__hisnan(b) && b < a) ? b : a;
  }
  friend CUDASIM_INLINE SmallFloat __hfma(SmallFloat a, SmallFloat b, SmallFloat c) {
    const double product = static_cast<double>(static_cast<float>(a)) * static_cast<float>(b);
    const double addend = static_cast<float>(c);
    const double sum = product + addend;
    const double part = sum - product;  // the part of the addend that the sum has
    const double error = (product - (sum - part)) + (addend - part);
    return SmallFloat(ToOdd(sum, error));
  }
  friend CUDASIM_INLINE SmallFloat __hfma_sat(SmallFloat a, SmallFloat b, SmallFloat c) {
    return Saturated(__hfma(a, b, c));
  }
  friend CUDASIM_BRANCHLESS SmallFloat __hfma_relu(SmallFloat a, SmallFloat b, SmallFloat c) {
    const SmallFloat sum = __hfma(a, b, c);
    return __hisnan(sum) ? FromBits(0x7fff) : __hmax(sum, SmallFloat(0.0f));
  }
  friend CUDASIM_INLINE SmallFloat operator-(const SmallFloat& a) { return __hneg(a); }
  friend CUDASIM_INLINE SmallFloat operator+(const SmallFloat& a) { return a; }
  CUDASIM_INLINE SmallFloat& operator++() { return *this += SmallFloat(1.0f); }
  CUDASIM_INLINE SmallFloat& operator--() { return *this -= SmallFloat(1.0f); }

  // In [0, 1]; NaN becomes 0.
  static CUDASIM_BRANCHLESS SmallFloat Saturated(SmallFloat a) {
    const auto x = static_cast<float>(a);
    return x > 0 ? (x < 1 ? a : SmallFloat(1.0f)) : SmallFloat(0.0f);
  }
};

// `x` rounded in the direction `rounding`, a cudasimRounding.
template <class Format>
CUDASIM_BRANCHLESS SmallFloat<Format> NarrowDirected(float x, int rounding) {
  constexpr int kTowardZero = 1;
  constexpr int kUp = 2;
  SmallFloat<Format> nearest(x);
  const auto back = static_cast<float>(nearest);
  if (back == x || back != back) return nearest;
  const bool want_lower = rounding == kTowardZero ? x > 0 : rounding != kUp;
  if (want_lower == (back < x)) return nearest;
  if (back == 0) return SmallFloat<Format>::FromBits(want_lower ? 0x8001u : 1u);
  // Away from zero the bits count up, whatever the sign.
  const bool away = (back < 0) == want_lower;
  nearest.bits = static_cast<unsigned short>(nearest.bits + (away ? 1 : -1));
  return nearest;
}

}  // namespace cudasim
