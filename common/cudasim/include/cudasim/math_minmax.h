// min and max, for host and device, and their variants under CUDA's own names.
#pragma once

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

CUDASIM_INLINE long long llmin(long long a, long long b) { return min(a, b); }
CUDASIM_INLINE long long llmax(long long a, long long b) { return max(a, b); }
CUDASIM_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
CUDASIM_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
CUDASIM_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
CUDASIM_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}
