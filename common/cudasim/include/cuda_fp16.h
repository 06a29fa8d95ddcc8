// IEEE half precision, for host and device: types, conversions, arithmetic.  Results are rounded to
// nearest even; exponentials and the like once from a double.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDACC__) && defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#define CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H 1
#include "cudasim/math_conversions.h"
#include "cudasim/rounding.h"
#include "cudasim/small_float2.h"
#undef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H

using __half = ::cudasim::SmallFloat<::cudasim::HalfFormat>;
using __half2 = ::cudasim::SmallFloat2<::cudasim::HalfFormat>;
using half = __half;
using half2 = __half2;

CUDASIM_INLINE __half __float2half(float x) { return __half(x); }
CUDASIM_INLINE __half __double2half(double x) { return __half(x); }
CUDASIM_INLINE float __half2float(__half x) { return x; }
CUDASIM_INLINE __half __float2half_rn(float x) { return __half(x); }
CUDASIM_INLINE __half __float2half_rz(float x) {
  return ::cudasim::NarrowDirected<::cudasim::HalfFormat>(x, cudasimTowardZero);
}
CUDASIM_INLINE __half __float2half_ru(float x) {
  return ::cudasim::NarrowDirected<::cudasim::HalfFormat>(x, cudasimUp);
}
CUDASIM_INLINE __half __float2half_rd(float x) {
  return ::cudasim::NarrowDirected<::cudasim::HalfFormat>(x, cudasimDown);
}

#define CUDASIM_SMALL_INTEGER(name, Integer)                                \
  CUDASIM_INLINE __half __##name##2half_rn(Integer x) { return __half(x); } \
  CUDASIM_INLINE Integer __half2##name##_rn(__half x) {                     \
    return ::cudasim::Saturate<Integer>(__builtin_rintf(x));                \
  }                                                                         \
  CUDASIM_INLINE Integer __half2##name##_rz(__half x) {                     \
    return ::cudasim::Saturate<Integer>(__builtin_truncf(x));               \
  }                                                                         \
  CUDASIM_INLINE Integer __half2##name##_ru(__half x) {                     \
    return ::cudasim::Saturate<Integer>(__builtin_ceilf(x));                \
  }                                                                         \
  CUDASIM_INLINE Integer __half2##name##_rd(__half x) {                     \
    return ::cudasim::Saturate<Integer>(__builtin_floorf(x));               \
  }
CUDASIM_SMALL_INTEGER(int, int)
CUDASIM_SMALL_INTEGER(uint, unsigned)
CUDASIM_SMALL_INTEGER(short, short)
CUDASIM_SMALL_INTEGER(ushort, unsigned short)
CUDASIM_SMALL_INTEGER(ll, long long)
CUDASIM_SMALL_INTEGER(ull, unsigned long long)
#undef CUDASIM_SMALL_INTEGER

CUDASIM_INLINE short __half_as_short(__half x) { return static_cast<short>(x.bits); }
CUDASIM_INLINE unsigned short __half_as_ushort(__half x) { return x.bits; }
CUDASIM_INLINE __half __short_as_half(short x) {
  return __half::FromBits(static_cast<unsigned short>(x));
}
CUDASIM_INLINE __half __ushort_as_half(unsigned short x) { return __half::FromBits(x); }

CUDASIM_INLINE __half2 make_half2(__half x, __half y) { return {x, y}; }
CUDASIM_INLINE __half2 __half2half2(__half x) { return {x, x}; }
CUDASIM_INLINE __half2 __halves2half2(__half x, __half y) { return {x, y}; }
CUDASIM_INLINE __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
CUDASIM_INLINE __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
CUDASIM_INLINE __half2 __float22half2_rn(float2 x) { return {__half(x.x), __half(x.y)}; }
CUDASIM_INLINE float2 __half22float2(__half2 x) { return {x.x, x.y}; }
CUDASIM_INLINE __half __low2half(__half2 x) { return x.x; }
CUDASIM_INLINE __half __high2half(__half2 x) { return x.y; }
CUDASIM_INLINE __half2 __low2half2(__half2 x) { return {x.x, x.x}; }
CUDASIM_INLINE __half2 __high2half2(__half2 x) { return {x.y, x.y}; }
CUDASIM_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
CUDASIM_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
CUDASIM_INLINE __half2 __lowhigh2highlow(__half2 x) { return {x.y, x.x}; }
CUDASIM_INLINE float __low2float(__half2 x) { return x.x; }
CUDASIM_INLINE float __high2float(__half2 x) { return x.y; }

#ifdef __CUDACC__
CUDASIM_INLINE __half atomicAdd(__half* address, __half value) {
  return ::cudasim::AtomicUpdate<::cudasim::AtomicAddOp>(address, value);
}
CUDASIM_INLINE __half2 atomicAdd(__half2* address, __half2 value) {
  return ::cudasim::AtomicUpdate<::cudasim::AtomicAddOp>(address, value);
}
#endif

#if defined(__CUDACC__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif
