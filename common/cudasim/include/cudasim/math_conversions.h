// Conversions between numbers, with the rounding in the name, and reinterpretations of bits.  Those
// to integers saturate, as the hardware's do.  CUDA Math API, "Type Casting Intrinsics".
#pragma once

#include "cudasim/rounding.h"
#include "cudasim/vector_types.h"

namespace cudasim {

// `whole` is rounded already.  NaN becomes 0, or for 64 bits the pattern 0x8000000000000000.
template <class To, class From>
CUDASIM_BRANCHLESS To Saturate(From whole) {
  constexpr bool kSigned = To(-1) < To(0);
  constexpr int kBits = 8 * sizeof(To) - (kSigned ? 1 : 0);
  constexpr From kEnd = From(2) * static_cast<From>(1ull << (kBits - 1));  // one past the largest
  constexpr To kLast = static_cast<To>(~0ull >> (64 - kBits));
  if (whole != whole) return sizeof(To) == 8 ? static_cast<To>(1ull << 63) : To(0);
  if (whole >= kEnd) return kLast;
  if (whole <= (kSigned ? -kEnd : From(0))) return kSigned ? static_cast<To>(-kLast - 1) : To(0);
  return static_cast<To>(whole);
}

}  // namespace cudasim

#define CUDASIM_TO_INTEGER(name, From, To, f)                                                    \
  CUDASIM_INLINE To name##_rn(From x) { return ::cudasim::Saturate<To>(__builtin_rint##f(x)); }  \
  CUDASIM_INLINE To name##_rz(From x) { return ::cudasim::Saturate<To>(__builtin_trunc##f(x)); } \
  CUDASIM_INLINE To name##_ru(From x) { return ::cudasim::Saturate<To>(__builtin_ceil##f(x)); }  \
  CUDASIM_INLINE To name##_rd(From x) { return ::cudasim::Saturate<To>(__builtin_floor##f(x)); }

CUDASIM_TO_INTEGER(__float2int, float, int, f)
CUDASIM_TO_INTEGER(__float2uint, float, unsigned, f)
CUDASIM_TO_INTEGER(__float2ll, float, long long, f)
CUDASIM_TO_INTEGER(__float2ull, float, unsigned long long, f)
CUDASIM_TO_INTEGER(__double2int, double, int, )
CUDASIM_TO_INTEGER(__double2uint, double, unsigned, )
CUDASIM_TO_INTEGER(__double2ll, double, long long, )
CUDASIM_TO_INTEGER(__double2ull, double, unsigned long long, )
#undef CUDASIM_TO_INTEGER

#define CUDASIM_TO_FLOAT(name, From, To, function)                                        \
  CUDASIM_INLINE To name##_rn(From x) { return static_cast<To>(x); }                      \
  CUDASIM_INLINE To name##_rz(From x) { return cudasim##function(cudasimTowardZero, x); } \
  CUDASIM_INLINE To name##_ru(From x) { return cudasim##function(cudasimUp, x); }         \
  CUDASIM_INLINE To name##_rd(From x) { return cudasim##function(cudasimDown, x); }

CUDASIM_TO_FLOAT(__int2float, int, float, LongToFloat)
CUDASIM_TO_FLOAT(__uint2float, unsigned, float, UnsignedToFloat)
CUDASIM_TO_FLOAT(__ll2float, long long, float, LongToFloat)
CUDASIM_TO_FLOAT(__ull2float, unsigned long long, float, UnsignedToFloat)
CUDASIM_TO_FLOAT(__ll2double, long long, double, LongToDouble)
CUDASIM_TO_FLOAT(__ull2double, unsigned long long, double, UnsignedToDouble)
CUDASIM_TO_FLOAT(__double2float, double, float, DoubleToFloat)
#undef CUDASIM_TO_FLOAT

CUDASIM_INLINE double __int2double_rn(int x) { return x; }
CUDASIM_INLINE double __uint2double_rn(unsigned x) { return x; }

CUDASIM_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
CUDASIM_INLINE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
CUDASIM_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
CUDASIM_INLINE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
CUDASIM_INLINE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
CUDASIM_INLINE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
CUDASIM_INLINE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
CUDASIM_INLINE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
CUDASIM_INLINE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>(hi) << 32 | static_cast<unsigned>(lo));
}
