// Device functions beyond <cmath>: integer and fast-math intrinsics, min and max, __ldg.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#include "cudasim/vector_types.h"

// As in CUDA these are ordinary overloads; mixed signedness converts to unsigned.
CUDASIM_INLINE int min(int a, int b) { return b < a ? b : a; }
CUDASIM_INLINE unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
CUDASIM_INLINE unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
CUDASIM_INLINE unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
CUDASIM_INLINE long min(long a, long b) { return b < a ? b : a; }
CUDASIM_INLINE unsigned long min(unsigned long a, unsigned long b) { return b < a ? b : a; }
CUDASIM_INLINE long long min(long long a, long long b) { return b < a ? b : a; }
CUDASIM_INLINE unsigned long long min(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
CUDASIM_INLINE float min(float a, float b) { return __builtin_fminf(a, b); }
CUDASIM_INLINE double min(double a, double b) { return __builtin_fmin(a, b); }
CUDASIM_INLINE double min(float a, double b) { return __builtin_fmin(a, b); }
CUDASIM_INLINE double min(double a, float b) { return __builtin_fmin(a, b); }
CUDASIM_INLINE int max(int a, int b) { return a < b ? b : a; }
CUDASIM_INLINE unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
CUDASIM_INLINE unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
CUDASIM_INLINE unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
CUDASIM_INLINE long max(long a, long b) { return a < b ? b : a; }
CUDASIM_INLINE unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
CUDASIM_INLINE long long max(long long a, long long b) { return a < b ? b : a; }
CUDASIM_INLINE unsigned long long max(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
CUDASIM_INLINE float max(float a, float b) { return __builtin_fmaxf(a, b); }
CUDASIM_INLINE double max(double a, double b) { return __builtin_fmax(a, b); }
CUDASIM_INLINE double max(float a, double b) { return __builtin_fmax(a, b); }
CUDASIM_INLINE double max(double a, float b) { return __builtin_fmax(a, b); }

template <class T>
CUDASIM_INLINE T __ldg(const T* address) {
  return *address;
}

CUDASIM_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
CUDASIM_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
CUDASIM_INLINE float __fdividef(float a, float b) { return a / b; }
CUDASIM_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
CUDASIM_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CUDASIM_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
CUDASIM_INLINE float __fadd_rn(float a, float b) { return a + b; }
CUDASIM_INLINE float __fmul_rn(float a, float b) { return a * b; }

// glibc declares functions of these names, so they are macros.
#define __expf(x) __builtin_expf(x)
#define __exp10f(x) __builtin_exp10f(x)
#define __logf(x) __builtin_logf(x)
#define __log2f(x) __builtin_log2f(x)
#define __log10f(x) __builtin_log10f(x)
#define __sinf(x) __builtin_sinf(x)
#define __cosf(x) __builtin_cosf(x)
#define __tanf(x) __builtin_tanf(x)
#define __powf(x, y) __builtin_powf(x, y)

CUDASIM_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
CUDASIM_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDASIM_INLINE int __ffs(int x) { return __builtin_ffs(x); }
CUDASIM_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDASIM_INLINE int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
CUDASIM_INLINE int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
CUDASIM_INLINE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
CUDASIM_INLINE int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
CUDASIM_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
CUDASIM_INLINE unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; ++bit, x >>= 1) reversed = reversed << 1 | (x & 1u);
  return reversed;
}
CUDASIM_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
CUDASIM_INLINE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
CUDASIM_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
CUDASIM_INLINE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
CUDASIM_INLINE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
CUDASIM_INLINE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
CUDASIM_INLINE int __float2int_rn(float x) { return static_cast<int>(__builtin_rintf(x)); }
CUDASIM_INLINE int __float2int_rz(float x) { return static_cast<int>(x); }
CUDASIM_INLINE float __int2float_rn(int x) { return static_cast<float>(x); }
