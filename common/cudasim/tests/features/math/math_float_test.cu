// Floating point on the device: directed rounding, conversions, special functions. cuComplex.h
// against std::complex.
#include <cuComplex.h>
#include <math_constants.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>

#include "common/cudasim/tests/features/test.h"

namespace {

TEST(MathFloatTest, RoundsAsTheNameSays) {
  const float tiny = std::ldexp(1.0f, -30);
  const float above = std::nextafter(1.0f, 2.0f);
  const float below = std::nextafter(1.0f, 0.0f);
  const auto fill = [=] __device__(float* out) {
    StoreAll(out, __fadd_rn(1.0f, tiny), __fadd_ru(1.0f, tiny), __fadd_rd(1.0f, tiny),
             __fadd_rz(1.0f, -tiny), __fsub_ru(1.0f, tiny), __fmul_ru(above, above),
             __fdiv_rd(1.0f, 3.0f), __frcp_ru(3.0f), __fsqrt_rd(2.0f), __fmaf_ru(1.0f, 1.0f, tiny));
    out[10] = 1.0f + tiny;  // the mode is back
  };
  const float square = std::nextafter(above * above, 2.0f);
  EXPECT_EQ(
      OnDevice<float>(fill, 11),
      (std::vector<float>{1.0f, above, 1.0f, below, 1.0f, square, std::nextafter(1.0f / 3.0f, 0.0f),
                          1.0f / 3.0f, std::nextafter(std::sqrt(2.0f), 0.0f) * 0 + 1.41421354f,
                          above, 1.0f}));
}

TEST(MathFloatTest, RoundsDoublesAsTheNameSays) {
  const double tiny = std::ldexp(1.0, -60);
  const auto fill = [=] __device__(double* out) {
    StoreAll(out, __dadd_ru(1.0, tiny), __dadd_rn(1.0, tiny), __ddiv_rd(1.0, 3.0),
             __ddiv_ru(1.0, 3.0), __dsqrt_ru(4.0), __fma_rd(1.0, 1.0, -tiny));
  };
  const std::vector<double> got = OnDevice<double>(fill, 6);
  EXPECT_EQ(got[0], std::nextafter(1.0, 2.0));
  EXPECT_EQ(got[1], 1.0);
  EXPECT_EQ(got[3], std::nextafter(got[2], 1.0));
  EXPECT_EQ(got[4], 2.0);
  EXPECT_EQ(got[5], std::nextafter(1.0, 0.0));
}

TEST(MathFloatTest, ConvertsToIntegersAndStopsAtTheirLimits) {
  const auto fill = [] __device__(long long* out) {
    StoreAll(out, __float2int_rn(2.5f), __float2int_rz(-2.7f), __float2int_ru(2.1f),
             __float2int_rd(-2.1f), __float2int_rz(1e10f), __float2int_rz(-1e10f),
             __float2int_rn(NAN), __float2uint_rz(-1.0f), __double2uint_rn(4294967295.0),
             __double2ll_rz(1e300), __float2ll_rn(NAN), __double2int_rn(3.5));
  };
  EXPECT_EQ(OnDevice<long long>(fill, 12),
            (std::vector<long long>{2, -2, 3, -3, INT_MAX, INT_MIN, 0, 0, 4294967295ll, LLONG_MAX,
                                    LLONG_MIN, 4}));
}

TEST(MathFloatTest, ConvertsFromIntegersWithTheRoundingOfTheName) {
  const auto fill = [] __device__(float* out) {
    StoreAll(out, __int2float_rn(16777217), __int2float_ru(16777217), __int2float_rz(-16777219),
             __uint2float_rd(4294967295u), __ull2float_ru(~0ull),
             __double2float_rd(1.0 + DBL_EPSILON), __double2float_ru(1.0 + DBL_EPSILON));
  };
  EXPECT_EQ(OnDevice<float>(fill, 7),
            (std::vector<float>{16777216.0f, 16777218.0f, -16777218.0f, 4294967040.0f,
                                18446744073709551616.0f, 1.0f, std::nextafter(1.0f, 2.0f)}));
}

TEST(MathFloatTest, ReinterpretsBits) {
  const auto fill = [] __device__(double* out) {
    StoreAll(out, __int_as_float(0x40490fdb), __float_as_int(-0.0f),
             __hiloint2double(__double2hiint(CUDART_PI), __double2loint(CUDART_PI)),
             __longlong_as_double(__double_as_longlong(2.5)),
             __uint_as_float(__float_as_uint(1.5f)));
  };
  EXPECT_EQ(OnDevice<double>(fill, 5),
            (std::vector<double>{3.14159274101257324, INT_MIN, CUDART_PI, 2.5, 1.5}));
}

TEST(MathFloatTest, KnowsTheFastApproximations) {
  const auto fill = [] __device__(float* out) {
    StoreAll(out, __expf(0.75f), __logf(0.75f), __log2f(8.0f), __exp10f(2.0f), __powf(3.0f, 2.0f),
             __fdividef(1.0f, 4.0f), __saturatef(-3.0f), __saturatef(NAN));
    __sincosf(0.5f, &out[8], &out[9]);
    out[10] = __frsqrt_rn(16.0f);
    out[11] = rsqrtf(4.0f);
  };
  const std::vector<float> want = {std::exp(0.75f), std::log(0.75f), 3,     100, 9, 0.25f, 0, 0,
                                   std::sin(0.5f),  std::cos(0.5f),  0.25f, 0.5f};
  const std::vector<float> got = OnDevice<float>(fill, want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-5f) << i;
}

TEST(MathFloatTest, HitsTheExactValuesOfTurns) {
  const auto fill = [] __device__(double* out) {
    StoreAll(out, sinpi(1.0), cospi(0.5), sinpi(0.5), cospi(1e15), sinpi(-2.5));
    sincospi(0.25, &out[5], &out[6]);
  };
  const std::vector<double> got = OnDevice<double>(fill, 7);
  EXPECT_EQ(got[0], 0.0);
  EXPECT_EQ(got[1], 0.0);
  EXPECT_EQ(got[2], 1.0);
  EXPECT_EQ(got[3], 1.0);
  EXPECT_EQ(got[4], -1.0);
  EXPECT_DOUBLE_EQ(got[5], std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(got[6], std::sqrt(0.5));
}

// References: tables of the normal distribution and of the error function.
TEST(MathFloatTest, KnowsDistributionsAndTheirInverses) {
  const auto fill = [] __device__(double* out) {
    StoreAll(out, normcdf(1.96), normcdfinv(0.975), erfinv(0.5), erfcinv(1e-20), erfcx(1.0),
             erfcx(30.0), erf(erfinv(-0.99)), normcdf(normcdfinv(1e-200)) * 1e200,
             cyl_bessel_i0(1.0), cyl_bessel_i1(-1.0), normcdfinv(0.5));
  };
  const std::vector<double> want = {0.9750021048517795,
                                    1.959963984540054,
                                    0.4769362762044699,
                                    6.6015806223551430,
                                    0.4275835761558070,
                                    0.0187958888614168,
                                    -0.99,
                                    1.0,
                                    1.2660658777520084,
                                    -0.5651591039924850,
                                    0.0};
  const std::vector<double> got = OnDevice<double>(fill, want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-12) << i;
}

TEST(MathFloatTest, HasFloatFormsAndNorms) {
  const auto fill = [] __device__(float* out) {
    StoreAll(out, norm3df(2.0f, 3.0f, 6.0f), rnorm4df(1.0f, 1.0f, 1.0f, 1.0f), rhypotf(3.0f, 4.0f),
             rcbrtf(27.0f), erfcxf(0.0f), normcdff(0.0f), exp10f(3.0f), rsqrt(16.0f));
    sincosf(0.0f, &out[8], &out[9]);
    out[10] = sinpif(0.5f);
    const float values[] = {3.0f, 4.0f, 12.0f};
    out[11] = normf(3, values);
    out[12] = fdividef(1.0f, 2.0f);
  };
  const std::vector<float> want = {7,     0.5f, 0.2f, 1.0f / 3, 1,  0.5f, 1000,
                                   0.25f, 0,    1,    1,        13, 0.5f};
  const std::vector<float> got = OnDevice<float>(fill, want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_FLOAT_EQ(got[i], want[i]) << i;
}

TEST(MathFloatTest, KnowsTheConstants) {
  EXPECT_TRUE(std::isinf(CUDART_INF_F));
  EXPECT_TRUE(std::isnan(CUDART_NAN));
  EXPECT_FLOAT_EQ(CUDART_PI_F, 3.1415927f);
  EXPECT_EQ(CUDART_MAX_NORMAL_F, FLT_MAX);
  EXPECT_EQ(CUDART_MIN_DENORM_F, FLT_TRUE_MIN);
}

__global__ void ComputeComplex(cuFloatComplex* out, cuFloatComplex a, cuFloatComplex b) {
  StoreAll(out, cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuConjf(a),
           cuCfmaf(a, b, make_cuFloatComplex(1, 2)),
           make_cuComplex(cuCabsf(a), cuCrealf(b) + cuCimagf(b)));
  const cuDoubleComplex wide = cuCdiv(cuCmul(cuComplexFloatToDouble(a), cuComplexFloatToDouble(b)),
                                      cuComplexFloatToDouble(b));
  out[7] = cuComplexDoubleToFloat(wide);
}

TEST(MathComplexTest, ComputesAsStdComplexDoes) {
  using Complex = std::complex<float>;
  const Complex a(3, -4);
  const Complex b(0.5f, 2);
  const std::vector<Complex> expected = {
      a + b, a - b, a * b, a / b, std::conj(a), a * b + Complex(1, 2), {5, 2.5f}, a};
  DeviceVector<cuFloatComplex> out(8);
  ComputeComplex<<<1, 1>>>(out.get(), make_cuFloatComplex(3, -4), make_cuFloatComplex(0.5f, 2));
  const std::vector<cuFloatComplex> got = out.ToHost();
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(got[i].x, expected[i].real(), 1e-6) << i;
    EXPECT_NEAR(got[i].y, expected[i].imag(), 1e-6) << i;
  }
}

TEST(MathComplexTest, NeitherOverflowsNorVanishesWhereTheResultDoesNot) {
  EXPECT_FLOAT_EQ(cuCabsf(make_cuFloatComplex(3e37f, 4e37f)), 5e37f);
  const cuFloatComplex huge = make_cuFloatComplex(2e30f, 2e30f);
  EXPECT_FLOAT_EQ(cuCdivf(huge, huge).x, 1);
  const cuDoubleComplex tiny = make_cuDoubleComplex(0, 1e-200);
  EXPECT_DOUBLE_EQ(cuCdiv(tiny, tiny).x, 1);
}

}  // namespace
