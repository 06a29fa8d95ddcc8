// Brain floating point, the upper half of a float, for host and device: types, conversions,
// arithmetic.  Results are rounded to nearest even; exponentials and the like once from a double.
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

using __nv_bfloat16 = ::cudasim::SmallFloat<::cudasim::BfloatFormat>;
using __nv_bfloat162 = ::cudasim::SmallFloat2<::cudasim::BfloatFormat>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CUDASIM_INLINE __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
CUDASIM_INLINE __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
CUDASIM_INLINE float __bfloat162float(__nv_bfloat16 x) { return x; }
CUDASIM_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
CUDASIM_INLINE __nv_bfloat16 __float2bfloat16_rz(float x) {
  return ::cudasim::NarrowDirected<::cudasim::BfloatFormat>(x, cudasimTowardZero);
}
CUDASIM_INLINE __nv_bfloat16 __float2bfloat16_ru(float x) {
  return ::cudasim::NarrowDirected<::cudasim::BfloatFormat>(x, cudasimUp);
}
CUDASIM_INLINE __nv_bfloat16 __float2bfloat16_rd(float x) {
  return ::cudasim::NarrowDirected<::cudasim::BfloatFormat>(x, cudasimDown);
}

#define CUDASIM_SMALL_INTEGER(name, Integer)                                                  \
  CUDASIM_INLINE __nv_bfloat16 __##name##2bfloat16_rn(Integer x) { return __nv_bfloat16(x); } \
  CUDASIM_INLINE Integer __bfloat162##name##_rn(__nv_bfloat16 x) {                            \
    return ::cudasim::Saturate<Integer>(__builtin_rintf(x));                                  \
  }                                                                                           \
  CUDASIM_INLINE Integer __bfloat162##name##_rz(__nv_bfloat16 x) {                            \
    return ::cudasim::Saturate<Integer>(__builtin_truncf(x));                                 \
  }                                                                                           \
  CUDASIM_INLINE Integer __bfloat162##name##_ru(__nv_bfloat16 x) {                            \
    return ::cudasim::Saturate<Integer>(__builtin_ceilf(x));                                  \
  }                                                                                           \
  CUDASIM_INLINE Integer __bfloat162##name##_rd(__nv_bfloat16 x) {                            \
    return ::cudasim::Saturate<Integer>(__builtin_floorf(x));                                 \
  }
CUDASIM_SMALL_INTEGER(int, int)
CUDASIM_SMALL_INTEGER(uint, unsigned)
CUDASIM_SMALL_INTEGER(short, short)
CUDASIM_SMALL_INTEGER(ushort, unsigned short)
CUDASIM_SMALL_INTEGER(ll, long long)
CUDASIM_SMALL_INTEGER(ull, unsigned long long)
#undef CUDASIM_SMALL_INTEGER

CUDASIM_INLINE short __bfloat16_as_short(__nv_bfloat16 x) { return static_cast<short>(x.bits); }
CUDASIM_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
CUDASIM_INLINE __nv_bfloat16 __short_as_bfloat16(short x) {
  return __nv_bfloat16::FromBits(static_cast<unsigned short>(x));
}
CUDASIM_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __nv_bfloat16::FromBits(x);
}

CUDASIM_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
CUDASIM_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
CUDASIM_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
CUDASIM_INLINE __nv_bfloat162 __float2bfloat162_rn(float x) {
  return {__nv_bfloat16(x), __nv_bfloat16(x)};
}
CUDASIM_INLINE __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
CUDASIM_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 x) {
  return {__nv_bfloat16(x.x), __nv_bfloat16(x.y)};
}
CUDASIM_INLINE float2 __bfloat1622float2(__nv_bfloat162 x) { return {x.x, x.y}; }
CUDASIM_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
CUDASIM_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
CUDASIM_INLINE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x) { return {x.x, x.x}; }
CUDASIM_INLINE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x) { return {x.y, x.y}; }
CUDASIM_INLINE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x, b.x};
}
CUDASIM_INLINE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.y, b.y};
}
CUDASIM_INLINE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 x) { return {x.y, x.x}; }
CUDASIM_INLINE float __low2float(__nv_bfloat162 x) { return x.x; }
CUDASIM_INLINE float __high2float(__nv_bfloat162 x) { return x.y; }

#ifdef __CUDACC__
CUDASIM_INLINE __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  return ::cudasim::AtomicUpdate<::cudasim::AtomicAddOp>(address, value);
}
CUDASIM_INLINE __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  return ::cudasim::AtomicUpdate<::cudasim::AtomicAddOp>(address, value);
}
#endif

#if defined(__CUDACC__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif
