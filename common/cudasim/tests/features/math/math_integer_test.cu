// Integer intrinsics, one by one, at their edges. The instructions for dynamic programming, against
// 64-bit arithmetic.
#include <algorithm>
#include <climits>
#include <cstdint>

#include "common/cudasim/tests/features/test.h"

namespace {

using Ints = std::vector<int>;
using Words = std::vector<unsigned>;

TEST(MathIntegerTest, CountsAndFindsBits) {
  const auto fill = [] __device__(int* out) {
    StoreAll(out, __popc(0xf0f0u), __popcll(~0ull), __clz(0), __clz(-1), __clzll(1), __clzll(0),
             __ffs(0), __ffs(INT_MIN), __ffsll(1ll << 40));
  };
  EXPECT_EQ(OnDevice<int>(fill, 9), (Ints{8, 64, 32, 0, 63, 64, 0, 32, 41}));
}

TEST(MathIntegerTest, ReversesBits) {
  const auto fill = [] __device__(unsigned long long* out) {
    StoreAll(out, __brev(0x00000001u), __brev(0x12345678u), __brevll(1ull),
             __brevll(0x123456789abcdef0ull));
  };
  EXPECT_EQ(OnDevice<unsigned long long>(fill, 4),
            (std::vector<unsigned long long>{0x80000000u, 0x1e6a2c48u, 1ull << 63,
                                             0x0f7b3d591e6a2c48ull}));
}

TEST(MathIntegerTest, FindsTheNthSetBit) {
  const auto fill = [] __device__(unsigned* out) {
    StoreAll(out, __fns(0xf0u, 0, 1), __fns(0xf0u, 0, 4), __fns(0xf0u, 0, 5), __fns(0xf0u, 31, -1),
             __fns(0xf0u, 4, 0), __fns(0xf0u, 3, 0));
  };
  EXPECT_EQ(OnDevice<unsigned>(fill, 6), (Words{4, 7, ~0u, 7, 4, ~0u}));
}

TEST(MathIntegerTest, MultipliesWide) {
  const auto fill = [] __device__(unsigned long long* out) {
    StoreAll(out, static_cast<unsigned>(__mulhi(1 << 30, -8)), __umulhi(0xffffffffu, 0xffffffffu),
             static_cast<unsigned long long>(__mul64hi(LLONG_MIN, 2)), __umul64hi(~0ull, ~0ull));
    out[4] = static_cast<unsigned>(__mul24(0x00ffffff, 3));  // -1 * 3
    out[5] = __umul24(0xff000002u, 3);
  };
  EXPECT_EQ(OnDevice<unsigned long long>(fill, 6),
            (std::vector<unsigned long long>{0xfffffffeu, 0xfffffffeu, ~0ull, ~0ull - 1,
                                             0xfffffffdu, 6}));
}

TEST(MathIntegerTest, PermutesBytesAndShiftsFunnels) {
  const auto fill = [] __device__(unsigned* out) {
    const unsigned a = 0x33221180u;
    const unsigned b = 0x77665544u;
    StoreAll(out, __byte_perm(a, b, 0x3210), __byte_perm(a, b, 0x0123), __byte_perm(a, b, 0x7654));
    out[3] = __byte_perm(a, b, 0x9998);  // signs of bytes 1 and 0
    out[4] = __funnelshift_l(0x80000001u, 0x2u, 1);
    out[5] = __funnelshift_r(0x80000001u, 0x3u, 1);
    out[6] = __funnelshift_l(5, 7, 32);   // wraps: shift by 0
    out[7] = __funnelshift_lc(5, 7, 32);  // clamps
    out[8] = __funnelshift_rc(5, 7, 33);
  };
  EXPECT_EQ(OnDevice<unsigned>(fill, 9), (Words{0x33221180u, 0x80112233u, 0x77665544u, 0x000000ffu,
                                                0x5u, 0xc0000000u, 7, 5, 7}));
}

TEST(MathIntegerTest, AveragesAndSumsDifferencesWithoutOverflow) {
  const auto fill = [] __device__(unsigned* out) {
    StoreAll(out, __sad(INT_MIN, INT_MAX, 1), __usad(3, 10, 100),
             static_cast<unsigned>(__hadd(INT_MAX, INT_MAX)), static_cast<unsigned>(__hadd(-3, 0)),
             static_cast<unsigned>(__rhadd(-3, 0)), __uhadd(~0u, ~0u), __urhadd(~0u, ~0u - 1));
  };
  EXPECT_EQ(OnDevice<unsigned>(fill, 7), (Words{0, 107, INT_MAX, static_cast<unsigned>(-2),
                                                static_cast<unsigned>(-1), ~0u, ~0u}));
}

TEST(MathIntegerTest, ComputesOnLanesOfAWord) {
  const auto fill = [] __device__(unsigned* out) {
    const unsigned a = 0xff7f0180u;
    const unsigned b = 0x01010280u;
    StoreAll(out, __vadd4(a, b), __vaddss4(a, b), __vaddus4(a, b), __vsub4(a, b), __vcmpeq4(a, b),
             __vsetgtu4(a, b), __vmaxs4(a, b), __vminu4(a, b), __vsadu4(a, b), __vabsdiffu4(a, b),
             __vadd2(0x0001ffffu, 0x00020001u), __vavgu2(0x00010002u, 0x00020002u));
  };
  EXPECT_EQ(
      OnDevice<unsigned>(fill, 12),
      (Words{0x00800300u, 0x007f0380u, 0xff8003ffu, 0xfe7eff00u, 0x000000ffu, 0x01010000u,
             0x017f0280u, 0x01010180u, 0xfeu + 0x7e + 1, 0xfe7e0100u, 0x00030000u, 0x00020002u}));
}

TEST(MathIntegerTest, AddsProductsOfPairsInAWord) {
  const auto fill = [] __device__(int* out) {
    const int a = static_cast<int>(0xff7f0180u);
    const int b = 0x01010280;
    StoreAll(out, __dp4a(a, b, 5), __dp2a_lo(a, b, 5), __dp2a_hi(a, b, 5),
             static_cast<int>(__dp4a(0xff7f0180u, 0x01010280u, 5u)),
             static_cast<int>(__dp2a_lo(0xff7f0180u, 0x01010280u, 5u)),
             static_cast<int>(__dp2a_hi(0xff7f0180u, 0x01010280u, 5u)),
             __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 0),
             __dp2a_lo(make_short2(1000, -1), make_char4(2, 3, 4, 5), 0),
             __dp2a_hi(make_short2(1000, -1), make_char4(2, 3, 4, 5), 0));
  };
  EXPECT_EQ(
      OnDevice<int>(fill, 9),
      (std::vector<int>{-1 + 127 + 2 + 16384 + 5, 0x0180 * -128 - 0x81 * 2 + 5, 0x0180 - 0x81 + 5,
                        255 + 127 + 2 + 128 * 128 + 5, 0x0180 * 128 + 0xff7f * 2 + 5,
                        0x0180 + 0xff7f + 5, 5 - 12 + 21 - 32, 2000 - 3, 4000 - 5}));
}

TEST(MathIntegerTest, TakesMinimaAndMaximaAcrossTypes) {
  const auto fill = [] __device__(long long* out) {
    out[0] = min(3, -4);
    out[1] = max(3u, 4);
    out[2] = min(-1, 5u);  // -1 converts to unsigned, as in CUDA
    StoreAll(out + 3, max(1ll << 40, 2ll), llmin(-5, 5), umax(1u, 2u));
  };
  EXPECT_EQ(OnDevice<long long>(fill, 6), (std::vector<long long>{-4, 4, 5, 1ll << 40, -5, 2}));
}

TEST(MathIntegerTest, WorksOnTheHostToo) {
  EXPECT_EQ(__popc(7), 3);
  EXPECT_EQ(__byte_perm(1, 2, 0x7654), 2u);
}

const std::vector<unsigned> kWords = {0,          1,          0x0001ffff, 0x7fff8000, 0x80007fff,
                                      0xffff0001, 0x7fffffff, 0x80000000, 0xffffffff, 0x1234fedc};

// The results of one function of each kind, in the order of DpxResults() below.
__global__ void Apply(unsigned* out, unsigned a, unsigned b, unsigned c) {
  const auto x = static_cast<int>(a);
  const auto y = static_cast<int>(b);
  const auto z = static_cast<int>(c);
  int i = 0;
#define SIGNED(stem)                     \
  out[i++] = stem##_s32(x, y, z);        \
  out[i++] = stem##_s32_relu(x, y, z);   \
  out[i++] = stem##_s16x2(a, b, c);      \
  out[i++] = stem##_s16x2_relu(a, b, c); \
  out[i++] = stem##_u32(a, b, c);        \
  out[i++] = stem##_u16x2(a, b, c);
  SIGNED(__vimax3)
  SIGNED(__vimin3)
  SIGNED(__viaddmax)
  SIGNED(__viaddmin)
#undef SIGNED
}

using Function = std::int64_t (*)(std::int64_t, std::int64_t, std::int64_t);

// `function` on numbers of `bits` bits in 64-bit arithmetic.
template <class Lane>
unsigned Expected(Function function, bool relu, unsigned a, unsigned b, unsigned c) {
  constexpr int kBits = 8 * sizeof(Lane);
  std::uint64_t result = 0;
  for (int shift = 0; shift < 32; shift += kBits) {
    const auto part = [shift](unsigned word) { return static_cast<Lane>(word >> shift); };
    std::int64_t lane = function(part(a), part(b), part(c));
    if (relu) lane = std::max<std::int64_t>(lane, 0);
    result |= (static_cast<std::uint64_t>(lane) & ((1ull << kBits) - 1)) << shift;
  }
  return static_cast<unsigned>(result);
}

template <class Lane>
constexpr Function kFunctions[] = {[](std::int64_t x, std::int64_t y, std::int64_t z) {
                                     return std::max({x, y, z});
                                   },
                                   [](std::int64_t x, std::int64_t y, std::int64_t z) {
                                     return std::min({x, y, z});
                                   },
                                   [](std::int64_t x, std::int64_t y, std::int64_t z) {
                                     return std::max<std::int64_t>(static_cast<Lane>(x + y), z);
                                   },
                                   [](std::int64_t x, std::int64_t y, std::int64_t z) {
                                     return std::min<std::int64_t>(static_cast<Lane>(x + y), z);
                                   }};

std::vector<unsigned> DpxResults(unsigned a, unsigned b, unsigned c) {
  std::vector<unsigned> results;
  for (int i = 0; i < 4; ++i) {
    results.push_back(Expected<std::int32_t>(kFunctions<std::int32_t>[i], false, a, b, c));
    results.push_back(Expected<std::int32_t>(kFunctions<std::int32_t>[i], true, a, b, c));
    results.push_back(Expected<std::int16_t>(kFunctions<std::int16_t>[i], false, a, b, c));
    results.push_back(Expected<std::int16_t>(kFunctions<std::int16_t>[i], true, a, b, c));
    results.push_back(Expected<std::uint32_t>(kFunctions<std::uint32_t>[i], false, a, b, c));
    results.push_back(Expected<std::uint16_t>(kFunctions<std::uint16_t>[i], false, a, b, c));
  }
  return results;
}

TEST(MathDpxTest, TakesExtremesOfThreeAndOfSumsThatWrap) {
  DeviceVector<unsigned> out(24);
  for (const unsigned a : kWords) {
    for (const unsigned b : kWords) {
      for (const unsigned c : kWords) {
        Apply<<<1, 1>>>(out.get(), a, b, c);
        ASSERT_EQ(out.ToHost(), DpxResults(a, b, c)) << std::hex << a << " " << b << " " << c;
      }
    }
  }
}

__global__ void Choose(unsigned* out, unsigned a, unsigned b) {
  bool high = false;
  bool low = false;
  out[0] = __vibmax_s32(static_cast<int>(a), static_cast<int>(b), &low);
  out[1] = low;
  out[2] = __vibmin_u32(a, b, &low);
  out[3] = low;
  out[4] = __vibmax_s16x2(a, b, &high, &low);
  out[5] = 2 * high + low;
  out[6] = __vibmin_u16x2(a, b, &high, &low);
  out[7] = 2 * high + low;
  out[8] = __vimin_s16x2_relu(a, b);
  out[9] = __vimax_s32_relu(static_cast<int>(a), static_cast<int>(b));
}

TEST(MathDpxTest, TellsWhichArgumentWasChosen) {
  DeviceVector<unsigned> out(10);
  Choose<<<1, 1>>>(out.get(), 0x8000'0005, 0x7fff'0005);
  EXPECT_EQ(out.ToHost(), (std::vector<unsigned>{0x7fff0005, 0, 0x7fff0005, 0, 0x7fff0005, 1,
                                                 0x7fff0005, 1, 0x00000005, 0x7fff0005}));
}

}  // namespace
