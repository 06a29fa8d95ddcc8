// Arithmetic with the rounding in the name (_rn nearest even, _rz to zero, _ru up, _rd down) and
// the fast approximations, which here have full precision.  CUDA Math API, "Single Precision
// Intrinsics" and "Double Precision Intrinsics".
#pragma once

#include "cudasim/rounding.h"
#include "cudasim/vector_types.h"

#define CUDASIM_DIRECTED(name, T, Parameters, operation, ...)                                  \
  CUDASIM_INLINE T name##_rz Parameters {                                                      \
    return cudasim##operation(cudasimTowardZero, __VA_ARGS__);                                 \
  }                                                                                            \
  CUDASIM_INLINE T name##_ru Parameters { return cudasim##operation(cudasimUp, __VA_ARGS__); } \
  CUDASIM_INLINE T name##_rd Parameters { return cudasim##operation(cudasimDown, __VA_ARGS__); }

#define CUDASIM_ROUNDED(name, T, Parameters, operation, nearest, ...) \
  CUDASIM_INLINE T name##_rn Parameters { return nearest; }           \
  CUDASIM_DIRECTED(name, T, Parameters, operation, __VA_ARGS__)

CUDASIM_ROUNDED(__fadd, float, (float a, float b), AddF, a + b, a, b)
CUDASIM_ROUNDED(__fsub, float, (float a, float b), AddF, a - b, a, -b)
CUDASIM_ROUNDED(__fmul, float, (float a, float b), MultiplyF, a* b, a, b)
CUDASIM_ROUNDED(__fdiv, float, (float a, float b), DivideF, a / b, a, b)
CUDASIM_ROUNDED(__frcp, float, (float a), DivideF, 1.0f / a, 1.0f, a)
CUDASIM_ROUNDED(__fsqrt, float, (float a), RootF, __builtin_sqrtf(a), a)
CUDASIM_ROUNDED(__fmaf, float, (float a, float b, float c), FmaF, __builtin_fmaf(a, b, c), a, b, c)
CUDASIM_ROUNDED(__dadd, double, (double a, double b), AddD, a + b, a, b)
CUDASIM_ROUNDED(__dsub, double, (double a, double b), AddD, a - b, a, -b)
CUDASIM_ROUNDED(__dmul, double, (double a, double b), MultiplyD, a* b, a, b)
CUDASIM_ROUNDED(__ddiv, double, (double a, double b), DivideD, a / b, a, b)
CUDASIM_ROUNDED(__drcp, double, (double a), DivideD, 1.0 / a, 1.0, a)
CUDASIM_ROUNDED(__dsqrt, double, (double a), RootD, __builtin_sqrt(a), a)
CUDASIM_ROUNDED(__fma, double, (double a, double b, double c), FmaD, __builtin_fma(a, b, c), a, b,
                c)
#undef CUDASIM_ROUNDED
#undef CUDASIM_DIRECTED

// Functions of the runtime, so that the names of calls tell profile mode what a GPU does. A call
// that may throw would end a basic block.
extern "C" {
float cudasim_rsqrtf(float x) noexcept;
double cudasim_rsqrt(double x) noexcept;
float cudasim_fast_dividef(float a, float b) noexcept;
float cudasim_fast_expf(float x) noexcept;
float cudasim_fast_exp10f(float x) noexcept;
float cudasim_fast_logf(float x) noexcept;
float cudasim_fast_log2f(float x) noexcept;
float cudasim_fast_log10f(float x) noexcept;
float cudasim_fast_sinf(float x) noexcept;
float cudasim_fast_cosf(float x) noexcept;
float cudasim_fast_tanf(float x) noexcept;
float cudasim_fast_powf(float x, float y) noexcept;
}

CUDASIM_INLINE float __frsqrt_rn(float x) { return cudasim_rsqrtf(x); }
CUDASIM_INLINE float __fdividef(float a, float b) { return cudasim_fast_dividef(a, b); }
CUDASIM_INLINE float fdividef(float a, float b) { return cudasim_fast_dividef(a, b); }
CUDASIM_BRANCHLESS float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

// glibc declares functions of these names, so they are macros.
#define __expf(x) cudasim_fast_expf(x)
#define __exp10f(x) cudasim_fast_exp10f(x)
#define __logf(x) cudasim_fast_logf(x)
#define __log2f(x) cudasim_fast_log2f(x)
#define __log10f(x) cudasim_fast_log10f(x)
#define __sinf(x) cudasim_fast_sinf(x)
#define __cosf(x) cudasim_fast_cosf(x)
#define __tanf(x) cudasim_fast_tanf(x)
#define __tanhf(x) __builtin_tanhf(x)
#define __powf(x, y) cudasim_fast_powf(x, y)
#define __sincosf(x, s, c) ::cudasim::FastSinCos(x, s, c)

namespace cudasim {
CUDASIM_INLINE void FastSinCos(float x, float* sine, float* cosine) {
  *sine = cudasim_fast_sinf(x);
  *cosine = cudasim_fast_cosf(x);
}
}  // namespace cudasim
