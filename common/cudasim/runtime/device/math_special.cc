// Functions of CUDA that the host's library lacks.
#include <cmath>
#include <limits>
#include <numbers>

namespace cudasim {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRootOfTwo = std::numbers::sqrt2;
constexpr double kRootOfPi = 1.0 / std::numbers::inv_sqrtpi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// sin(pi x) for |x| <= 1/2; the small argument keeps the last bits.
double SinPiNearZero(double x) {
  const double size = std::fabs(x);
  return size <= 0.25 ? std::sin(kPi * x) : std::copysign(std::cos(kPi * (0.5 - size)), x);
}

// erfcx for large x: 1 / (x sqrt(pi)) * (1 - 1/(2x^2) + 1*3/(2x^2)^2 - ...).
double ErfcxAsymptotic(double x) {
  const double ratio = 1.0 / (2.0 * x * x);
  double term = 1.0;
  double sum = 1.0;
  for (int n = 1; n < 12; ++n) {
    term *= -(2 * n - 1) * ratio;
    sum += term;
  }
  return sum / (x * kRootOfPi);
}

double ErfcxOfPositive(double x) {
  constexpr double kLarge = 10;
  if (x >= kLarge) return ErfcxAsymptotic(x);
  const double square = x * x;
  const double rest = std::fma(x, x, -square);
  return std::exp(square) * (1.0 + rest) * std::erfc(x);
}

double NormalCdf(double x) { return 0.5 * std::erfc(-x / kRootOfTwo); }

// The quantile of a lower tail: a rough approximation, then Halley's method.
double LowerQuantile(double p) {
  const double t = std::sqrt(-2.0 * std::log(p));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 4; ++i) {
    const double step = (NormalCdf(x) - p) * std::exp(0.5 * x * x) * kRootOfTwo * kRootOfPi;
    x -= step / (1.0 + 0.5 * x * step);
  }
  return x;
}

}  // namespace
}  // namespace cudasim

extern "C" {

// Correctly rounded: the double has more than twice the bits.
float cudasim_rsqrtf(float x) noexcept {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
double cudasim_rsqrt(double x) noexcept { return 1.0 / std::sqrt(x); }
float cudasim_fast_dividef(float a, float b) noexcept { return a / b; }
float cudasim_fast_expf(float x) noexcept { return std::exp(x); }
float cudasim_fast_exp10f(float x) noexcept { return exp10f(x); }
float cudasim_fast_logf(float x) noexcept { return std::log(x); }
float cudasim_fast_log2f(float x) noexcept { return std::log2(x); }
float cudasim_fast_log10f(float x) noexcept { return std::log10(x); }
float cudasim_fast_sinf(float x) noexcept { return std::sin(x); }
float cudasim_fast_cosf(float x) noexcept { return std::cos(x); }
float cudasim_fast_tanf(float x) noexcept { return std::tan(x); }
float cudasim_fast_powf(float x, float y) noexcept { return std::pow(x, y); }

double rcbrt(double x) { return 1.0 / std::cbrt(x); }

double sinpi(double x) {
  const double r = std::remainder(x, 2.0);  // exact
  const double folded = std::fabs(r) > 0.5 ? std::copysign(1.0, r) - r : r;
  return std::copysign(cudasim::SinPiNearZero(folded), r);
}

double cospi(double x) {
  const double r = std::fabs(std::remainder(x, 2.0));
  return cudasim::SinPiNearZero(0.5 - r);
}

double tanpi(double x) { return sinpi(x) / cospi(x); }

double normcdf(double x) { return cudasim::NormalCdf(x); }

double normcdfinv(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0) return -cudasim::kInfinity;
  if (p == 1) return cudasim::kInfinity;
  return p <= 0.5 ? cudasim::LowerQuantile(p) : -cudasim::LowerQuantile(1.0 - p);
}

double erfcx(double x) {
  if (x >= 0) return cudasim::ErfcxOfPositive(x);
  return 2.0 * std::exp(x * x) - cudasim::ErfcxOfPositive(-x);
}

double erfinv(double y) {
  if (!(std::fabs(y) < 0.5)) return normcdfinv(0.5 * (y + 1.0)) / cudasim::kRootOfTwo;
  double x = 0.5 * cudasim::kRootOfPi * y;
  for (int i = 0; i < 5; ++i) {
    const double step = (std::erf(x) - y) * 0.5 * cudasim::kRootOfPi * std::exp(x * x);
    x -= step / (1.0 + x * step);
  }
  return x;
}

double erfcinv(double y) { return -normcdfinv(0.5 * y) / cudasim::kRootOfTwo; }

double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }

double cyl_bessel_i1(double x) { return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }

double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }

double norm4d(double a, double b, double c, double d) {
  return std::hypot(std::hypot(a, b), std::hypot(c, d));
}

}  // extern "C"
