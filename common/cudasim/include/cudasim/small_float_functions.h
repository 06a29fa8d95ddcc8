// Common to cuda_fp16.h and cuda_bf16.h: conversions, pairs and atomics of a 16-bit type.  Results
// are rounded to nearest even, unless their names say otherwise.
#pragma once

#include "cudasim/math_conversions.h"
#include "cudasim/rounding.h"
#include "cudasim/small_float2.h"
#include "cudasim/small_float_compare.h"

// `name`: half or bfloat16, as the functions' names have it.  T: the type.
#define CUDASIM_SMALL_SCALAR(name, T, Format)                                          \
  CUDASIM_INLINE T __float2##name(float x) { return T(x); }                            \
  CUDASIM_INLINE T __double2##name(double x) { return T(x); }                          \
  CUDASIM_INLINE float __##name##2float(T x) { return x; }                             \
  CUDASIM_INLINE T __float2##name##_rn(float x) { return T(x); }                       \
  CUDASIM_INLINE T __float2##name##_rz(float x) {                                      \
    return ::cudasim::NarrowDirected<Format>(x, cudasimTowardZero);                    \
  }                                                                                    \
  CUDASIM_INLINE T __float2##name##_ru(float x) {                                      \
    return ::cudasim::NarrowDirected<Format>(x, cudasimUp);                            \
  }                                                                                    \
  CUDASIM_INLINE T __float2##name##_rd(float x) {                                      \
    return ::cudasim::NarrowDirected<Format>(x, cudasimDown);                          \
  }                                                                                    \
  CUDASIM_INLINE short __##name##_as_short(T x) { return static_cast<short>(x.bits); } \
  CUDASIM_INLINE unsigned short __##name##_as_ushort(T x) { return x.bits; }           \
  CUDASIM_INLINE T __short_as_##name(short x) {                                        \
    return T::FromBits(static_cast<unsigned short>(x));                                \
  }                                                                                    \
  CUDASIM_INLINE T __ushort_as_##name(unsigned short x) { return T::FromBits(x); }

#define CUDASIM_SMALL_INTEGER(name, T, integer, Integer)                 \
  CUDASIM_INLINE T __##integer##2##name##_rn(Integer x) { return T(x); } \
  CUDASIM_INLINE Integer __##name##2##integer##_rn(T x) {                \
    return ::cudasim::Saturate<Integer>(__builtin_rintf(x));             \
  }                                                                      \
  CUDASIM_INLINE Integer __##name##2##integer##_rz(T x) {                \
    return ::cudasim::Saturate<Integer>(__builtin_truncf(x));            \
  }                                                                      \
  CUDASIM_INLINE Integer __##name##2##integer##_ru(T x) {                \
    return ::cudasim::Saturate<Integer>(__builtin_ceilf(x));             \
  }                                                                      \
  CUDASIM_INLINE Integer __##name##2##integer##_rd(T x) {                \
    return ::cudasim::Saturate<Integer>(__builtin_floorf(x));            \
  }

// `wide`: the integer, or one with its value, that has directed conversions to float.  Rounding
// twice in one direction is rounding once.
#define CUDASIM_SMALL_DIRECTED(name, T, Format, integer, Integer, wide)                  \
  CUDASIM_INLINE T __##integer##2##name##_rz(Integer x) {                                \
    return ::cudasim::NarrowDirected<Format>(__##wide##2float_rz(x), cudasimTowardZero); \
  }                                                                                      \
  CUDASIM_INLINE T __##integer##2##name##_ru(Integer x) {                                \
    return ::cudasim::NarrowDirected<Format>(__##wide##2float_ru(x), cudasimUp);         \
  }                                                                                      \
  CUDASIM_INLINE T __##integer##2##name##_rd(Integer x) {                                \
    return ::cudasim::NarrowDirected<Format>(__##wide##2float_rd(x), cudasimDown);       \
  }
#define CUDASIM_SMALL_CHAR(name, T, character, Character)       \
  CUDASIM_INLINE Character __##name##2##character##_rz(T x) {   \
    return ::cudasim::Saturate<Character>(__builtin_truncf(x)); \
  }

// T2: the pair.
#define CUDASIM_SMALL_PAIR(name, T, T2)                                              \
  CUDASIM_INLINE T2 make_##name##2(T x, T y) { return {x, y}; }                      \
  CUDASIM_INLINE T2 __##name##2##name##2(T x) { return {x, x}; }                     \
  CUDASIM_INLINE T2 __halves2##name##2(T x, T y) { return {x, y}; }                  \
  CUDASIM_INLINE T2 __float2##name##2_rn(float x) { return {T(x), T(x)}; }           \
  CUDASIM_INLINE T2 __floats2##name##2_rn(float x, float y) { return {T(x), T(y)}; } \
  CUDASIM_INLINE T2 __float22##name##2_rn(float2 x) { return {T(x.x), T(x.y)}; }     \
  CUDASIM_INLINE float2 __##name##22float2(T2 x) { return {x.x, x.y}; }              \
  CUDASIM_INLINE T __low2##name(T2 x) { return x.x; }                                \
  CUDASIM_INLINE T __high2##name(T2 x) { return x.y; }                               \
  CUDASIM_INLINE T2 __low2##name##2(T2 x) { return {x.x, x.x}; }                     \
  CUDASIM_INLINE T2 __high2##name##2(T2 x) { return {x.y, x.y}; }                    \
  CUDASIM_INLINE T2 __lows2##name##2(T2 a, T2 b) { return {a.x, b.x}; }              \
  CUDASIM_INLINE T2 __highs2##name##2(T2 a, T2 b) { return {a.y, b.y}; }             \
  CUDASIM_INLINE T2 __lowhigh2highlow(T2 x) { return {x.y, x.x}; }                   \
  CUDASIM_INLINE float __low2float(T2 x) { return x.x; }                             \
  CUDASIM_INLINE float __high2float(T2 x) { return x.y; }

#ifdef __CUDACC__
#define CUDASIM_SMALL_ATOMIC(T)                                             \
  CUDASIM_INLINE T atomicAdd(T* address, T value) {                         \
    return ::cudasim::AtomicUpdate<::cudasim::AtomicAddOp>(address, value); \
  }
#else
#define CUDASIM_SMALL_ATOMIC(T)
#endif

#define CUDASIM_SMALL_FLOAT(name, T, T2, Format)                        \
  CUDASIM_SMALL_SCALAR(name, T, Format)                                 \
  CUDASIM_SMALL_INTEGER(name, T, int, int)                              \
  CUDASIM_SMALL_INTEGER(name, T, uint, unsigned)                        \
  CUDASIM_SMALL_INTEGER(name, T, short, short)                          \
  CUDASIM_SMALL_INTEGER(name, T, ushort, unsigned short)                \
  CUDASIM_SMALL_INTEGER(name, T, ll, long long)                         \
  CUDASIM_SMALL_INTEGER(name, T, ull, unsigned long long)               \
  CUDASIM_SMALL_DIRECTED(name, T, Format, int, int, int)                \
  CUDASIM_SMALL_DIRECTED(name, T, Format, uint, unsigned, uint)         \
  CUDASIM_SMALL_DIRECTED(name, T, Format, short, short, int)            \
  CUDASIM_SMALL_DIRECTED(name, T, Format, ushort, unsigned short, uint) \
  CUDASIM_SMALL_DIRECTED(name, T, Format, ll, long long, ll)            \
  CUDASIM_SMALL_DIRECTED(name, T, Format, ull, unsigned long long, ull) \
  CUDASIM_SMALL_CHAR(name, T, char, signed char)                        \
  CUDASIM_SMALL_CHAR(name, T, uchar, unsigned char)                     \
  CUDASIM_SMALL_PAIR(name, T, T2)                                       \
  CUDASIM_SMALL_ATOMIC(T)                                               \
  CUDASIM_SMALL_ATOMIC(T2)
