// Numbers of 16 bits: conversions and arithmetic against references that cannot round twice.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "common/cudasim/tests/features/test.h"

namespace {

constexpr int kPatterns = 65536;

// The value of a half, from its definition.
double Value(int bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// The bits of the half nearest to x > 0, ties to even, by search among all halves.
int Nearest(long double x) {
  int low = 0;
  int high = 0x7c00;  // infinity counts as 65536
  const auto size = [](int bits) {
    return bits == 0x7c00 ? 65536.0L : static_cast<long double>(Value(bits));
  };
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (size(middle) <= x ? low : high) = middle;
  }
  const long double below = x - size(low);
  const long double above = size(high) - x;
  if (above < 0) return high;
  if (below != above) return below < above ? low : high;
  return low % 2 == 0 ? low : high;
}

__global__ void Widen(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __half2float(__ushort_as_half(static_cast<unsigned short>(i)));
}

TEST(HalfTest, WidensEveryPatternExactly) {
  DeviceVector<float> out(kPatterns);
  Widen<<<kPatterns / 256, 256>>>(out.get());
  const std::vector<float> got = out.ToHost();
  for (int i = 0; i < kPatterns; ++i) {
    if (std::isnan(Value(i))) {
      EXPECT_TRUE(std::isnan(got[i])) << i;
    } else {
      EXPECT_EQ(got[i], Value(i)) << i;
    }
  }
}

TEST(HalfTest, NarrowsTiesToEvenAndKeepsEveryHalf) {
  for (int i = 0; i < 0x7c00; ++i) {
    const auto exact = static_cast<float>(Value(i));
    ASSERT_EQ(__half_as_ushort(__float2half(exact)), i);
    const float next = i == 0x7bff ? 65536.0f : static_cast<float>(Value(i + 1));
    const float middle = (exact + next) / 2;
    ASSERT_EQ(__half_as_ushort(__float2half(middle)), i % 2 == 0 ? i : i + 1);
    ASSERT_EQ(__half_as_ushort(__float2half(std::nextafter(middle, 0.0f))), i);
    ASSERT_EQ(__half_as_ushort(__float2half(std::nextafter(middle, INFINITY))), i + 1);
    ASSERT_EQ(__half_as_ushort(__float2half(-exact)), i | 0x8000);
  }
  EXPECT_EQ(__half_as_ushort(__float2half(NAN)), 0x7fff);
  EXPECT_EQ(__half_as_ushort(__float2half(1e30f)), 0x7c00);
}

TEST(HalfTest, NarrowsDoublesOnce) {
  // Just above the middle of 1 and the next half: through a float it would be a tie.
  const double x = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(__half_as_ushort(__double2half(x)), 0x3c01);
  EXPECT_EQ(__half_as_ushort(__float2half(static_cast<float>(x))), 0x3c00);
}

TEST(HalfTest, NarrowsInTheDirectionOfTheName) {
  const float x = 1.0f + std::ldexp(1.0f, -12);
  EXPECT_EQ(__half_as_ushort(__float2half_ru(x)), 0x3c01);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(x)), 0x3c00);
  EXPECT_EQ(__half_as_ushort(__float2half_rz(-x)), 0xbc00);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(-x)), 0xbc01);
  EXPECT_EQ(__half_as_ushort(__float2half_ru(1e-30f)), 0x0001);
  EXPECT_EQ(__half_as_ushort(__float2half_rd(1e6f)), 0x7bff);
}

struct Results {
  __half sum, product, quotient, root, fused;
};

__global__ void Compute(const __half* a, const __half* b, const __half* c, Results* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = {__hadd(a[i], b[i]), a[i] * b[i], a[i] / b[i], hsqrt(a[i]), __hfma(a[i], b[i], c[i])};
}

// Positive halves from subnormals to the largest.
std::vector<__half> Numbers(int count, unsigned seed) {
  std::vector<__half> numbers(count);
  for (__half& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = __ushort_as_half(static_cast<unsigned short>(1 + (seed >> 8) % 0x7bff));
  }
  return numbers;
}

TEST(HalfTest, RoundsArithmeticOnce) {
  constexpr int kCount = 4096;
  const std::vector<__half> a = Numbers(kCount, 1);
  const std::vector<__half> b = Numbers(kCount, 2);
  const std::vector<__half> c = Numbers(kCount, 3);
  const DeviceVector<__half> da(a);
  const DeviceVector<__half> db(b);
  const DeviceVector<__half> dc(c);
  DeviceVector<Results> out(kCount);
  Compute<<<kCount / 128, 128>>>(da.get(), db.get(), dc.get(), out.get());
  const std::vector<Results> got = out.ToHost();
  for (int i = 0; i < kCount; ++i) {
    const long double x = Value(__half_as_ushort(a[i]));
    const long double y = Value(__half_as_ushort(b[i]));
    const long double z = Value(__half_as_ushort(c[i]));
    ASSERT_EQ(__half_as_ushort(got[i].sum), Nearest(x + y)) << i;
    ASSERT_EQ(__half_as_ushort(got[i].product), Nearest(x * y)) << i;
    ASSERT_EQ(__half_as_ushort(got[i].quotient), Nearest(x / y)) << i;
    ASSERT_EQ(__half_as_ushort(got[i].root), Nearest(std::sqrt(x))) << i;
    ASSERT_EQ(__half_as_ushort(got[i].fused), Nearest(x * y + z)) << i;
  }
}

TEST(HalfTest, FusesWithoutRoundingTheProduct) {
  // The product lies just above a tie, by an addend far below its last bit.
  const __half a = __float2half(1.0f + std::ldexp(3.0f, -10));
  const __half b = __float2half(1.5f);  // 1.5 + 4.5 * 2^-10: a tie of two halves
  const __half tiny = __ushort_as_half(1);
  EXPECT_EQ(__half_as_ushort(__hfma(a, b, tiny)), __half_as_ushort(a * b) | 1);
}

TEST(HalfTest, KeepsInfinities) {
  const __half one(1.0f);
  for (const float infinity : {INFINITY, -INFINITY}) {
    EXPECT_EQ(static_cast<float>(__half(infinity)), infinity);
    EXPECT_EQ(static_cast<float>(__hfma(one, one, __half(infinity))), infinity);
    EXPECT_EQ(static_cast<float>(__hfma(__half(infinity), one, one)), infinity);
    EXPECT_EQ(static_cast<float>(__half(static_cast<double>(infinity))), infinity);
  }
}

TEST(HalfTest, ComparesAndClassifies) {
  const __half one(1);
  const __half two(2.0);
  const __half nan = __float2half(NAN);
  EXPECT_TRUE(one < two && two >= one && one == __half(1.0f) && one != two);
  EXPECT_TRUE(__hlt(one, two) && !__hlt(one, nan) && __hltu(one, nan) && !__hne(nan, nan));
  EXPECT_TRUE(__hisnan(nan) && nan != nan);
  EXPECT_EQ(__hisinf(__half(-1e30f)), -1);
  EXPECT_EQ(static_cast<float>(__hmax(nan, one)), 1.0f);
  EXPECT_EQ(static_cast<float>(__hmin(two, one)), 1.0f);
  EXPECT_EQ(static_cast<float>(__hadd_sat(one, two)), 1.0f);
  EXPECT_EQ(static_cast<float>(-__habs(__half(-3))), -3.0f);
}

TEST(HalfTest, ConvertsIntegers) {
  EXPECT_EQ(__half2int_rn(__half(2.5f)), 2);
  EXPECT_EQ(__half2int_ru(__half(2.5f)), 3);
  EXPECT_EQ(__half2uint_rz(__half(-2.5f)), 0u);
  EXPECT_EQ(__half2short_rd(__half(-2.5f)), -3);
  EXPECT_EQ(static_cast<float>(__int2half_rn(2049)), 2048.0f);
  EXPECT_EQ(static_cast<float>(__ull2half_rn(~0ull)), INFINITY);
}

__global__ void Pairs(const __half2* a, __half2* out, __half* total) {
  const __half2 x = a[threadIdx.x];
  __half2 y = __hfma2(x, __float2half2_rn(2.0f), __halves2half2(__high2half(x), __low2half(x)));
  y += __float2half2_rn(0.5f);
  out[threadIdx.x] = y;
  atomicAdd(total, __low2half(x));
}

TEST(HalfTest, ComputesOnPairs) {
  static_assert(sizeof(half2) == 4 && alignof(half2) == 4 && sizeof(half) == 2);
  const DeviceVector<__half2> a(std::vector<__half2>(33, __floats2half2_rn(1.0f, 3.0f)));
  DeviceVector<__half2> out(33);
  DeviceVector<__half> total(1);
  Pairs<<<1, 33>>>(a.get(), out.get(), total.get());
  for (const __half2& pair : out.ToHost()) {
    const float2 values = __half22float2(pair);
    EXPECT_EQ(values.x, 5.5f);
    EXPECT_EQ(values.y, 7.5f);
  }
  EXPECT_EQ(static_cast<float>(total.ToHost()[0]), 33.0f);
  EXPECT_TRUE(__hbeq2(__half2half2(__half(1)), __floats2half2_rn(1, 1)));
  EXPECT_FALSE(__hblt2(__floats2half2_rn(1, 2), __floats2half2_rn(2, 2)));
}

__global__ void Bfloats(const float* in, __nv_bfloat16* out) {
  out[threadIdx.x] = __float2bfloat16(in[threadIdx.x]) * __nv_bfloat16(3.0f);
}

TEST(HalfTest, RoundsBfloatsToNearestEven) {
  const float ulp = std::ldexp(1.0f, -7);
  EXPECT_EQ(__bfloat162float(__float2bfloat16(1.0f + ulp / 2)), 1.0f);
  EXPECT_EQ(__bfloat162float(__float2bfloat16(1.0f + ulp * 3 / 2)), 1.0f + 2 * ulp);
  EXPECT_EQ(__bfloat162float(__float2bfloat16(1.0f + ulp * 0.51f)), 1.0f + ulp);
  EXPECT_EQ(__bfloat162float(__float2bfloat16_rz(1.0f + ulp * 0.99f)), 1.0f);
  EXPECT_TRUE(std::isnan(__bfloat162float(__float2bfloat16(NAN))));
  EXPECT_EQ(__bfloat162float(__float2bfloat16(3.4e38f)), INFINITY);
  const DeviceVector<float> in(std::vector<float>{0.0f, 1.0f, 1e38f});
  DeviceVector<__nv_bfloat16> out(3);
  Bfloats<<<1, 3>>>(in.get(), out.get());
  EXPECT_EQ(static_cast<float>(out.ToHost()[1]), 3.0f);
  EXPECT_NEAR(static_cast<float>(out.ToHost()[2]), 3e38f, 2e36f);
}

}  // namespace
