// Complex numbers as pairs of floats or doubles, for host and device: real part x, imaginary part
// y.
#pragma once

#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// The double's functions have the plain names (cuCadd), the float's an f (cuCaddf).
// Products and quotients of infinities are NaN, as in CUDA.  cuCabs() does not overflow where its
// result does not.
#define CUDASIM_COMPLEX(T, Real, f)                                                       \
  inline Real cuCreal##f(T a) { return a.x; }                                             \
  inline Real cuCimag##f(T a) { return a.y; }                                             \
  inline T cuConj##f(T a) { return {a.x, -a.y}; }                                         \
  inline T cuCadd##f(T a, T b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline T cuCsub##f(T a, T b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline T cuCmul##f(T a, T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  /* Both scaled by the size of b, so that its square neither overflows nor vanishes. */  \
  inline T cuCdiv##f(T a, T b) {                                                          \
    const Real scale = Real(1) / (fabs##f(b.x) + fabs##f(b.y));                           \
    const T n = {a.x * scale, a.y * scale};                                               \
    const T d = {b.x * scale, b.y * scale};                                               \
    const Real inverse = Real(1) / (d.x * d.x + d.y * d.y);                               \
    return {(n.x * d.x + n.y * d.y) * inverse, (n.y * d.x - n.x * d.y) * inverse};        \
  }                                                                                       \
  inline Real cuCabs##f(T a) { return hypot##f(a.x, a.y); }                               \
  /* a * b + c */                                                                         \
  inline T cuCfma##f(T a, T b, T c) {                                                     \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                    \
  }
CUDASIM_COMPLEX(cuFloatComplex, float, f)
CUDASIM_COMPLEX(cuDoubleComplex, double, )
#undef CUDASIM_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  return {real, imaginary};
}
inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

#pragma clang force_cuda_host_device end
