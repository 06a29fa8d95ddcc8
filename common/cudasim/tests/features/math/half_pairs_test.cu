// Numbers of 16 bits: conversions between the two formats, comparisons of pairs, shuffles.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "common/cudasim/tests/features/test.h"

namespace {

TEST(HalfPairsTest, ConvertsBetweenHalfAndBfloat16) {
  const auto got = OnDevice(
      [] __device__(float* out) {
        // 1 + 2^-10 needs a half's fraction; 2^-8 of it is a tie, to even.
        StoreAll(out, static_cast<__nv_bfloat16>(__float2half(1 + 0x1p-10f)),
                 static_cast<__nv_bfloat16>(__float2half(1 + 0x1p-8f)),
                 static_cast<half>(__float2bfloat16(1 + 0x1p-7f)),
                 static_cast<half>(__float2bfloat16(0x1p20f)),
                 static_cast<half>(__float2bfloat16(-0x1p-24f)));
      },
      5);
  EXPECT_EQ(got, (std::vector<float>{1, 1, 1 + 0x1p-7f, INFINITY, -0x1p-24f}));
}

TEST(HalfPairsTest, ConvertsIntegersInTheDirectionOfTheName) {
  const auto got = OnDevice(
      [] __device__(float* out) {
        StoreAll(out, __int2half_rz(2049), __int2half_ru(2049), __int2half_rd(-2049),
                 __uint2half_rd(100000), __uint2half_ru(100000), __ll2half_ru((1ll << 30) + 1),
                 __ull2bfloat16_ru((1ull << 30) + 1), __short2bfloat16_rz(-257));
      },
      8);
  const float above = 0x1p30f * (1 + 0x1p-7f);
  EXPECT_EQ(got, (std::vector<float>{2048, 2050, -2050, 65504, INFINITY, INFINITY, above, -256}));
}

TEST(HalfPairsTest, ComparesPairsWithNan) {
  const auto got = OnDevice<unsigned>(
      [] __device__(unsigned* out) {
        const half2 a(__float2half(1), __float2half(NAN));
        const half2 b(__float2half(2), __float2half(2));
        StoreAll(out, __hlt2_mask(a, b), __hltu2_mask(a, b), __hgt2_mask(a, b), __hgtu2_mask(a, b),
                 __hbltu2(a, b), __hbgtu2(a, b), __half_as_ushort(__hneu2(a, b).y),
                 __half_as_ushort(__hequ2(a, b).x));
      },
      8);
  EXPECT_EQ(got, (std::vector<unsigned>{0xffff, 0xffffffff, 0, 0xffff0000, 1, 0, 0x3c00, 0}));
}

TEST(HalfPairsTest, PassesNanOnWhereTheNameSaysSo) {
  const auto got = OnDevice<unsigned>(
      [] __device__(unsigned* out) {
        const half one = __float2half(1);
        const half nan = __float2half(NAN);
        StoreAll(out, __half_as_ushort(__hmax_nan(one, nan)),
                 __half_as_ushort(__hmin_nan(nan, one)),
                 __half_as_ushort(__hmax_nan(one, __hneg(one))),
                 __half_as_ushort(__hfma_relu(nan, one, one)),
                 __half_as_ushort(
                     __hfma2_relu(half2(one, one), half2(one, one), half2(-one - one, one)).x));
      },
      5);
  EXPECT_EQ(got, (std::vector<unsigned>{0x7fff, 0x7fff, 0x3c00, 0x7fff, 0}));
}

TEST(HalfPairsTest, MultipliesComplexNumbers) {
  const auto got = OnDevice(
      [] __device__(float* out) {
        const half2 product =
            __hcmadd(half2(half(1), half(2)), half2(half(3), half(4)), half2(half(10), half(20)));
        out[0] = product.x;
        out[1] = product.y;
      },
      2);
  EXPECT_EQ(got, (std::vector<float>{1 * 3 - 2 * 4 + 10, 1 * 4 + 2 * 3 + 20}));
}

TEST(HalfPairsTest, TakesHyperbolicTangents) {
  const auto got = OnDevice(
      [] __device__(float* out) {
        const half2 x(half(0.5f), half(-9));
        StoreAll(out, htanh_approx(x.x), h2tanh(x).x, h2tanh_approx(x).y,
                 htanh_approx(__nv_bfloat16(0.5f)));
      },
      4);
  EXPECT_NEAR(got[0], std::tanh(0.5f), 0x1p-11f);
  EXPECT_EQ(got[1], got[0]);
  EXPECT_EQ(got[2], -1);
  EXPECT_NEAR(got[3], std::tanh(0.5f), 0x1p-9f);
}

__global__ void Shuffle(float* out) {
  const auto lane = static_cast<float>(threadIdx.x);
  const half h(lane);
  const __nv_bfloat162 pair(__nv_bfloat16(lane), __nv_bfloat16(-lane));
  const half next = __shfl_down_sync(kAllLanes, h, 1);
  const half first = __shfl_sync(kAllLanes, h, 0, 8);
  const __nv_bfloat162 other = __shfl_xor_sync(kAllLanes, pair, 1);
  const __nv_bfloat162 previous = __shfl_up_sync(kAllLanes, pair, 1);
  float* const mine = out + 5 * threadIdx.x;
  mine[0] = next;
  mine[1] = first;
  mine[2] = other.x;
  mine[3] = other.y;
  mine[4] = previous.y;
}

TEST(HalfPairsTest, ShufflesNumbersAndPairs) {
  DeviceVector<float> out(5 * 32);
  Shuffle<<<1, 32>>>(out.get());
  const std::vector<float> got = out.ToHost();
  for (int lane = 0; lane < 32; ++lane) {
    const std::vector<float> mine(got.begin() + 5 * lane, got.begin() + 5 * lane + 5);
    const auto down = static_cast<float>(lane < 31 ? lane + 1 : lane);
    const auto up = static_cast<float>(lane > 0 ? lane - 1 : lane);
    const auto other = static_cast<float>(lane ^ 1);
    EXPECT_EQ(mine,
              (std::vector<float>{down, static_cast<float>(lane / 8 * 8), other, -other, -up}))
        << lane;
  }
}

}  // namespace
