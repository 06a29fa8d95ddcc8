// Floating point on the device: directed rounding, conversions, special functions.
#include <math_constants.h>

#include <cfloat>
#include <climits>
#include <cmath>

#include "common/cudasim/tests/features/test.h"

namespace {

TEST(MathFloatTest, RoundsAsTheNameSays) {
  const float tiny = std::ldexp(1.0f, -30);
  const float above = std::nextafter(1.0f, 2.0f);
  const float below = std::nextafter(1.0f, 0.0f);
  const auto fill = [=] __device__(float* out) {
    out[0] = __fadd_rn(1.0f, tiny);
    out[1] = __fadd_ru(1.0f, tiny);
    out[2] = __fadd_rd(1.0f, tiny);
    out[3] = __fadd_rz(1.0f, -tiny);
    out[4] = __fsub_ru(1.0f, tiny);
    out[5] = __fmul_ru(above, above);
    out[6] = __fdiv_rd(1.0f, 3.0f);
    out[7] = __frcp_ru(3.0f);
    out[8] = __fsqrt_rd(2.0f);
    out[9] = __fmaf_ru(1.0f, 1.0f, tiny);
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
    out[0] = __dadd_ru(1.0, tiny);
    out[1] = __dadd_rn(1.0, tiny);
    out[2] = __ddiv_rd(1.0, 3.0);
    out[3] = __ddiv_ru(1.0, 3.0);
    out[4] = __dsqrt_ru(4.0);
    out[5] = __fma_rd(1.0, 1.0, -tiny);
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
    out[0] = __float2int_rn(2.5f);
    out[1] = __float2int_rz(-2.7f);
    out[2] = __float2int_ru(2.1f);
    out[3] = __float2int_rd(-2.1f);
    out[4] = __float2int_rz(1e10f);
    out[5] = __float2int_rz(-1e10f);
    out[6] = __float2int_rn(NAN);
    out[7] = __float2uint_rz(-1.0f);
    out[8] = __double2uint_rn(4294967295.0);
    out[9] = __double2ll_rz(1e300);
    out[10] = __float2ll_rn(NAN);
    out[11] = __double2int_rn(3.5);
  };
  EXPECT_EQ(OnDevice<long long>(fill, 12),
            (std::vector<long long>{2, -2, 3, -3, INT_MAX, INT_MIN, 0, 0, 4294967295ll, LLONG_MAX,
                                    LLONG_MIN, 4}));
}

TEST(MathFloatTest, ConvertsFromIntegersWithTheRoundingOfTheName) {
  const auto fill = [] __device__(float* out) {
    out[0] = __int2float_rn(16777217);
    out[1] = __int2float_ru(16777217);
    out[2] = __int2float_rz(-16777219);
    out[3] = __uint2float_rd(4294967295u);
    out[4] = __ull2float_ru(~0ull);
    out[5] = __double2float_rd(1.0 + DBL_EPSILON);
    out[6] = __double2float_ru(1.0 + DBL_EPSILON);
  };
  EXPECT_EQ(OnDevice<float>(fill, 7),
            (std::vector<float>{16777216.0f, 16777218.0f, -16777218.0f, 4294967040.0f,
                                18446744073709551616.0f, 1.0f, std::nextafter(1.0f, 2.0f)}));
}

TEST(MathFloatTest, ReinterpretsBits) {
  const auto fill = [] __device__(double* out) {
    out[0] = __int_as_float(0x40490fdb);
    out[1] = __float_as_int(-0.0f);
    out[2] = __hiloint2double(__double2hiint(CUDART_PI), __double2loint(CUDART_PI));
    out[3] = __longlong_as_double(__double_as_longlong(2.5));
    out[4] = __uint_as_float(__float_as_uint(1.5f));
  };
  EXPECT_EQ(OnDevice<double>(fill, 5),
            (std::vector<double>{3.14159274101257324, INT_MIN, CUDART_PI, 2.5, 1.5}));
}

TEST(MathFloatTest, KnowsTheFastApproximations) {
  const auto fill = [] __device__(float* out) {
    out[0] = __expf(0.75f);
    out[1] = __logf(0.75f);
    out[2] = __log2f(8.0f);
    out[3] = __exp10f(2.0f);
    out[4] = __powf(3.0f, 2.0f);
    out[5] = __fdividef(1.0f, 4.0f);
    out[6] = __saturatef(-3.0f);
    out[7] = __saturatef(NAN);
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
    out[0] = sinpi(1.0);
    out[1] = cospi(0.5);
    out[2] = sinpi(0.5);
    out[3] = cospi(1e15);
    out[4] = sinpi(-2.5);
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
    out[0] = normcdf(1.96);
    out[1] = normcdfinv(0.975);
    out[2] = erfinv(0.5);
    out[3] = erfcinv(1e-20);
    out[4] = erfcx(1.0);
    out[5] = erfcx(30.0);
    out[6] = erf(erfinv(-0.99));
    out[7] = normcdf(normcdfinv(1e-200)) * 1e200;
    out[8] = cyl_bessel_i0(1.0);
    out[9] = cyl_bessel_i1(-1.0);
    out[10] = normcdfinv(0.5);
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
    out[0] = norm3df(2.0f, 3.0f, 6.0f);
    out[1] = rnorm4df(1.0f, 1.0f, 1.0f, 1.0f);
    out[2] = rhypotf(3.0f, 4.0f);
    out[3] = rcbrtf(27.0f);
    out[4] = erfcxf(0.0f);
    out[5] = normcdff(0.0f);
    out[6] = exp10f(3.0f);
    out[7] = rsqrt(16.0f);
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

}  // namespace
