// Directed rounding.  Volatile operands keep each operation between the two changes of mode.

#include <cfenv>
#include <cmath>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(cudasimRounding rounding) {
    constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    std::fesetround(kModes[rounding]);
  }
  ~RoundingMode() { std::fesetround(FE_TONEAREST); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;
};

template <class T, class Operation>
T Apply(cudasimRounding rounding, T a, T b, Operation operation) {
  volatile T x = a;
  volatile T y = b;
  const RoundingMode mode(rounding);
  volatile T result = operation(x, y);
  return result;
}

template <class To, class From>
To Convert(cudasimRounding rounding, From a) {
  volatile From x = a;
  const RoundingMode mode(rounding);
  volatile To result = static_cast<To>(x);
  return result;
}

template <class T>
T Fma(cudasimRounding rounding, T a, T b, T c) {
  volatile T z = c;
  return Apply(rounding, a, b, [&z](T x, T y) { return std::fma(x, y, z); });
}

template <class T>
T Root(cudasimRounding rounding, T a) {
  return Apply(rounding, a, a, [](T x, T) { return std::sqrt(x); });
}

constexpr auto kAdd = [](auto x, auto y) { return x + y; };
constexpr auto kMultiply = [](auto x, auto y) { return x * y; };
constexpr auto kDivide = [](auto x, auto y) { return x / y; };

}  // namespace
}  // namespace cudasim

using cudasim::Apply;
using cudasim::Convert;

extern "C" {

float cudasimAddF(cudasimRounding r, float a, float b) { return Apply(r, a, b, cudasim::kAdd); }
float cudasimMultiplyF(cudasimRounding r, float a, float b) {
  return Apply(r, a, b, cudasim::kMultiply);
}
float cudasimDivideF(cudasimRounding r, float a, float b) {
  return Apply(r, a, b, cudasim::kDivide);
}
float cudasimRootF(cudasimRounding r, float a) { return cudasim::Root(r, a); }
float cudasimFmaF(cudasimRounding r, float a, float b, float c) { return cudasim::Fma(r, a, b, c); }
double cudasimAddD(cudasimRounding r, double a, double b) { return Apply(r, a, b, cudasim::kAdd); }
double cudasimMultiplyD(cudasimRounding r, double a, double b) {
  return Apply(r, a, b, cudasim::kMultiply);
}
double cudasimDivideD(cudasimRounding r, double a, double b) {
  return Apply(r, a, b, cudasim::kDivide);
}
double cudasimRootD(cudasimRounding r, double a) { return cudasim::Root(r, a); }
double cudasimFmaD(cudasimRounding r, double a, double b, double c) {
  return cudasim::Fma(r, a, b, c);
}
float cudasimDoubleToFloat(cudasimRounding r, double a) { return Convert<float>(r, a); }
float cudasimLongToFloat(cudasimRounding r, long long a) { return Convert<float>(r, a); }
float cudasimUnsignedToFloat(cudasimRounding r, unsigned long long a) {
  return Convert<float>(r, a);
}
double cudasimLongToDouble(cudasimRounding r, long long a) { return Convert<double>(r, a); }
double cudasimUnsignedToDouble(cudasimRounding r, unsigned long long a) {
  return Convert<double>(r, a);
}

}  // extern "C"
