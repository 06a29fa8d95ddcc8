// Functions of the CUDA Math API that <cmath> lacks, for float and double.  Errors are those of the
// host's library: a few units in the last place.
#pragma once

#include "cudasim/vector_types.h"

extern "C" {

double rcbrt(double x);
double sinpi(double x);
double cospi(double x);
double tanpi(double x);
double normcdf(double x);
double normcdfinv(double x);
double erfcx(double x);
double erfinv(double x);
double erfcinv(double x);
double cyl_bessel_i0(double x);
double cyl_bessel_i1(double x);
double norm3d(double a, double b, double c);
double norm4d(double a, double b, double c, double d);

}  // extern "C"

CUDASIM_INLINE double rsqrt(double x) { return cudasim_rsqrt(x); }
CUDASIM_INLINE float rsqrtf(float x) { return cudasim_rsqrtf(x); }
CUDASIM_INLINE float rsqrt(float x) { return cudasim_rsqrtf(x); }
CUDASIM_INLINE double rhypot(double a, double b) { return 1.0 / __builtin_hypot(a, b); }
CUDASIM_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
CUDASIM_INLINE double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
// The square root of the sum of squares.
CUDASIM_INLINE double norm(int count, const double* values) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = __builtin_hypot(length, values[i]);
  return length;
}
CUDASIM_INLINE double rnorm(int count, const double* values) { return 1.0 / norm(count, values); }
CUDASIM_INLINE void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

// The float forms compute in double: names with f, and overloads without.
#define CUDASIM_FLOAT_FORM(name, Parameters, ...)                                           \
  CUDASIM_INLINE float name##f Parameters { return static_cast<float>(name(__VA_ARGS__)); } \
  CUDASIM_INLINE float name Parameters { return static_cast<float>(name(__VA_ARGS__)); }
#define CUDASIM_FLOAT_FORM1(name) CUDASIM_FLOAT_FORM(name, (float x), static_cast<double>(x))

CUDASIM_FLOAT_FORM1(rcbrt)
CUDASIM_FLOAT_FORM1(sinpi)
CUDASIM_FLOAT_FORM1(cospi)
CUDASIM_FLOAT_FORM1(tanpi)
CUDASIM_FLOAT_FORM1(normcdf)
CUDASIM_FLOAT_FORM1(normcdfinv)
CUDASIM_FLOAT_FORM1(erfcx)
CUDASIM_FLOAT_FORM1(erfinv)
CUDASIM_FLOAT_FORM1(erfcinv)
CUDASIM_FLOAT_FORM1(cyl_bessel_i0)
CUDASIM_FLOAT_FORM1(cyl_bessel_i1)
#undef CUDASIM_FLOAT_FORM1
CUDASIM_FLOAT_FORM(rhypot, (float a, float b), static_cast<double>(a), static_cast<double>(b))
#undef CUDASIM_FLOAT_FORM

CUDASIM_INLINE float norm3df(float a, float b, float c) {
  return static_cast<float>(norm3d(a, b, c));
}
CUDASIM_INLINE float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm4d(a, b, c, d));
}
CUDASIM_INLINE float rnorm3df(float a, float b, float c) {
  return static_cast<float>(rnorm3d(a, b, c));
}
CUDASIM_INLINE float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(rnorm4d(a, b, c, d));
}
CUDASIM_INLINE float normf(int count, const float* values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(values[i]) * values[i];
  return static_cast<float>(__builtin_sqrt(sum));
}
CUDASIM_INLINE float rnormf(int count, const float* values) { return 1.0f / normf(count, values); }
CUDASIM_INLINE void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
CUDASIM_INLINE void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
CUDASIM_INLINE void sincos(float x, float* sine, float* cosine) {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}
CUDASIM_INLINE float exp10(float x) { return __builtin_exp10f(x); }
