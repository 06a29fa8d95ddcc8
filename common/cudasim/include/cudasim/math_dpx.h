// Instructions for dynamic programming: sums, minima and maxima of up to three numbers, of 32 bits
// or two of 16 bits in one word.  Sums wrap around; _relu replaces negative results by 0.
// CUDA Math API, "SIMD Intrinsics" and "Integer Intrinsics".
#pragma once

#include <type_traits>

#include "cudasim/vector_types.h"

namespace cudasim {

// Applies `function` to the lanes of three words; each lane is a Lane.
template <class Lane, class Function>
CUDASIM_INLINE unsigned LanewiseOfThree(unsigned a, unsigned b, unsigned c, Function function) {
  constexpr int kBits = 8 * sizeof(Lane);
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += kBits) {
    const Lane lane = function(static_cast<Lane>(a >> shift), static_cast<Lane>(b >> shift),
                               static_cast<Lane>(c >> shift));
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<Lane>>(lane)) << shift;
  }
  return result;
}

template <class Lane>
CUDASIM_INLINE Lane WrappingSum(Lane x, Lane y) {
  return static_cast<Lane>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
}
template <class Lane>
CUDASIM_INLINE Lane Larger(Lane x, Lane y) {
  return x < y ? y : x;
}
template <class Lane>
CUDASIM_INLINE Lane Smaller(Lane x, Lane y) {
  return y < x ? y : x;
}

}  // namespace cudasim

#define CUDASIM_DPX_OF_THREE(name, Word, Lane, expression)                                 \
  CUDASIM_BRANCHLESS Word name(Word a, Word b, Word c) {                                   \
    using namespace ::cudasim;                                                             \
    return static_cast<Word>(LanewiseOfThree<Lane>(                                        \
        static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c),      \
        [](Lane x, Lane y, Lane z) CUDASIM_INLINE_LAMBDA -> Lane { return expression; })); \
  }

#define CUDASIM_DPX(suffix, Word, Lane)                                              \
  CUDASIM_DPX_OF_THREE(__vimax3##suffix, Word, Lane, Larger(Larger(x, y), z))        \
  CUDASIM_DPX_OF_THREE(__vimin3##suffix, Word, Lane, Smaller(Smaller(x, y), z))      \
  CUDASIM_DPX_OF_THREE(__viaddmax##suffix, Word, Lane, Larger(WrappingSum(x, y), z)) \
  CUDASIM_DPX_OF_THREE(__viaddmin##suffix, Word, Lane, Smaller(WrappingSum(x, y), z))

#define CUDASIM_DPX_RELU(suffix, Word, Lane)                                                       \
  CUDASIM_INLINE Word __vimax##suffix##_relu(Word a, Word b) { return __vimax3##suffix(a, b, 0); } \
  CUDASIM_INLINE Word __vimin##suffix##_relu(Word a, Word b) {                                     \
    return __vimax3##suffix(__vimin3##suffix(a, b, b), 0, 0);                                      \
  }                                                                                                \
  CUDASIM_INLINE Word __vimax3##suffix##_relu(Word a, Word b, Word c) {                            \
    return __vimax3##suffix(__vimax3##suffix(a, b, c), 0, 0);                                      \
  }                                                                                                \
  CUDASIM_INLINE Word __vimin3##suffix##_relu(Word a, Word b, Word c) {                            \
    return __vimax3##suffix(__vimin3##suffix(a, b, c), 0, 0);                                      \
  }                                                                                                \
  CUDASIM_INLINE Word __viaddmax##suffix##_relu(Word a, Word b, Word c) {                          \
    return __vimax3##suffix(__viaddmax##suffix(a, b, c), 0, 0);                                    \
  }                                                                                                \
  CUDASIM_INLINE Word __viaddmin##suffix##_relu(Word a, Word b, Word c) {                          \
    return __vimax3##suffix(__viaddmin##suffix(a, b, c), 0, 0);                                    \
  }

CUDASIM_DPX(_s32, int, int)
CUDASIM_DPX(_u32, unsigned, unsigned)
CUDASIM_DPX(_s16x2, unsigned, short)
CUDASIM_DPX(_u16x2, unsigned, unsigned short)
CUDASIM_DPX_RELU(_s32, int, int)
CUDASIM_DPX_RELU(_s16x2, unsigned, short)
#undef CUDASIM_DPX
#undef CUDASIM_DPX_RELU
#undef CUDASIM_DPX_OF_THREE

// The maximum or minimum, and whether it is a.
#define CUDASIM_DPX_CHOICE(name, Word, op)                   \
  CUDASIM_INLINE Word name(Word a, Word b, bool* is_first) { \
    *is_first = a op b;                                      \
    return *is_first ? a : b;                                \
  }
CUDASIM_DPX_CHOICE(__vibmax_s32, int, >=)
CUDASIM_DPX_CHOICE(__vibmax_u32, unsigned, >=)
CUDASIM_DPX_CHOICE(__vibmin_s32, int, <=)
CUDASIM_DPX_CHOICE(__vibmin_u32, unsigned, <=)
#undef CUDASIM_DPX_CHOICE

#define CUDASIM_DPX_CHOICES(name, Lane, op, choose)                                               \
  CUDASIM_INLINE unsigned name(unsigned a, unsigned b, bool* is_first_high, bool* is_first_low) { \
    *is_first_high = static_cast<Lane>(a >> 16) op static_cast<Lane>(b >> 16);                    \
    *is_first_low = static_cast<Lane>(a) op static_cast<Lane>(b);                                 \
    return choose(a, b, b);                                                                       \
  }
CUDASIM_DPX_CHOICES(__vibmax_s16x2, short, >=, __vimax3_s16x2)
CUDASIM_DPX_CHOICES(__vibmax_u16x2, unsigned short, >=, __vimax3_u16x2)
CUDASIM_DPX_CHOICES(__vibmin_s16x2, short, <=, __vimin3_s16x2)
CUDASIM_DPX_CHOICES(__vibmin_u16x2, unsigned short, <=, __vimin3_u16x2)
#undef CUDASIM_DPX_CHOICES
