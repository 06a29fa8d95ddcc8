// The instructions for dynamic programming, against 64-bit arithmetic.
#include <algorithm>
#include <cstdint>

#include "common/cudasim/tests/features/test.h"

namespace {

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
