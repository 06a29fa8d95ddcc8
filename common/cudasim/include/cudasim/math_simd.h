// Two 16-bit or four 8-bit integers in one word.  CUDA Math API, "SIMD Intrinsics".
#pragma once

#include "cudasim/vector_types.h"

namespace cudasim {

// Applies `function` to the lanes of both words; each lane is a Lane, computed as int.
template <class Lane, class Function>
CUDASIM_INLINE unsigned Lanewise(unsigned a, unsigned b, Function function) {
  constexpr int kBits = 8 * sizeof(Lane);
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += kBits) {
    const int x = static_cast<Lane>(a >> shift);
    const int y = static_cast<Lane>(b >> shift);
    result |= (static_cast<unsigned>(function(x, y)) & ((1u << kBits) - 1)) << shift;
  }
  return result;
}

template <class Lane>
CUDASIM_INLINE int ClampToLane(int x) {
  constexpr int kMax = static_cast<Lane>(~Lane{0}) > 0 ? static_cast<Lane>(~Lane{0})
                                                       : (1 << (8 * sizeof(Lane) - 1)) - 1;
  constexpr int kMin = static_cast<Lane>(~Lane{0}) > 0 ? 0 : -kMax - 1;
  return x < kMin ? kMin : x > kMax ? kMax : x;
}

}  // namespace cudasim

// In lanes where the comparison holds, vcmp gives all ones and vset gives 1.
#define CUDASIM_SIMD_COMPARE(name, suffix, Lane, op)                               \
  CUDASIM_BRANCHLESS unsigned __vcmp##name##suffix(unsigned a, unsigned b) {       \
    return ::cudasim::Lanewise<Lane>(                                              \
        a, b, [](int x, int y) CUDASIM_INLINE_LAMBDA { return x op y ? -1 : 0; }); \
  }                                                                                \
  CUDASIM_BRANCHLESS unsigned __vset##name##suffix(unsigned a, unsigned b) {       \
    return ::cudasim::Lanewise<Lane>(                                              \
        a, b, [](int x, int y) CUDASIM_INLINE_LAMBDA { return x op y ? 1 : 0; });  \
  }

#define CUDASIM_SIMD(name, suffix, Lane, expression)                          \
  CUDASIM_BRANCHLESS unsigned __v##name##suffix(unsigned a, unsigned b) {     \
    return ::cudasim::Lanewise<Lane>(                                         \
        a, b, [](int x, int y) CUDASIM_INLINE_LAMBDA { return expression; }); \
  }

#define CUDASIM_SIMD_SUM(name, suffix, Lane, expression)                      \
  CUDASIM_BRANCHLESS unsigned __v##name##suffix(unsigned a, unsigned b) {     \
    unsigned sum = 0;                                                         \
    ::cudasim::Lanewise<Lane>(a, b, [&](int x, int y) CUDASIM_INLINE_LAMBDA { \
      sum += static_cast<unsigned>(expression);                               \
      return 0;                                                               \
    });                                                                       \
    return sum;                                                               \
  }

#define CUDASIM_SIMD_UNARY(name, suffix, Lane, expression)                                         \
  CUDASIM_BRANCHLESS unsigned __v##name##suffix(unsigned a) {                                      \
    return ::cudasim::Lanewise<Lane>(a, 0,                                                         \
                                     [](int x, int) CUDASIM_INLINE_LAMBDA { return expression; }); \
  }

#define CUDASIM_SIMD_FAMILY(suffix, S, U)                                         \
  CUDASIM_SIMD(add, suffix, U, x + y)                                             \
  CUDASIM_SIMD(addss, suffix, S, ::cudasim::ClampToLane<S>(x + y))                \
  CUDASIM_SIMD(addus, suffix, U, ::cudasim::ClampToLane<U>(x + y))                \
  CUDASIM_SIMD(sub, suffix, U, x - y)                                             \
  CUDASIM_SIMD(subss, suffix, S, ::cudasim::ClampToLane<S>(x - y))                \
  CUDASIM_SIMD(subus, suffix, U, ::cudasim::ClampToLane<U>(x - y))                \
  CUDASIM_SIMD(absdiffs, suffix, S, x < y ? y - x : x - y)                        \
  CUDASIM_SIMD(absdiffu, suffix, U, x < y ? y - x : x - y)                        \
  CUDASIM_SIMD(avgs, suffix, S, (x + y + (x + y >= 0)) >> 1)                      \
  CUDASIM_SIMD(avgu, suffix, U, (x + y + 1) >> 1)                                 \
  CUDASIM_SIMD(haddu, suffix, U, (x + y) >> 1)                                    \
  CUDASIM_SIMD(maxs, suffix, S, x < y ? y : x)                                    \
  CUDASIM_SIMD(maxu, suffix, U, x < y ? y : x)                                    \
  CUDASIM_SIMD(mins, suffix, S, y < x ? y : x)                                    \
  CUDASIM_SIMD(minu, suffix, U, y < x ? y : x)                                    \
  CUDASIM_SIMD_SUM(sads, suffix, S, x < y ? y - x : x - y)                        \
  CUDASIM_SIMD_SUM(sadu, suffix, U, x < y ? y - x : x - y)                        \
  CUDASIM_SIMD_UNARY(abs, suffix, S, x < 0 ? -x : x)                              \
  CUDASIM_SIMD_UNARY(absss, suffix, S, ::cudasim::ClampToLane<S>(x < 0 ? -x : x)) \
  CUDASIM_SIMD_UNARY(neg, suffix, S, -x)                                          \
  CUDASIM_SIMD_UNARY(negss, suffix, S, ::cudasim::ClampToLane<S>(-x))             \
  CUDASIM_SIMD_COMPARE(eq, suffix, U, ==)                                         \
  CUDASIM_SIMD_COMPARE(ne, suffix, U, !=)                                         \
  CUDASIM_SIMD_COMPARE(ges, suffix, S, >=)                                        \
  CUDASIM_SIMD_COMPARE(geu, suffix, U, >=)                                        \
  CUDASIM_SIMD_COMPARE(gts, suffix, S, >)                                         \
  CUDASIM_SIMD_COMPARE(gtu, suffix, U, >)                                         \
  CUDASIM_SIMD_COMPARE(les, suffix, S, <=)                                        \
  CUDASIM_SIMD_COMPARE(leu, suffix, U, <=)                                        \
  CUDASIM_SIMD_COMPARE(lts, suffix, S, <)                                         \
  CUDASIM_SIMD_COMPARE(ltu, suffix, U, <)

CUDASIM_SIMD_FAMILY(2, short, unsigned short)
CUDASIM_SIMD_FAMILY(4, signed char, unsigned char)
#undef CUDASIM_SIMD_FAMILY
#undef CUDASIM_SIMD_COMPARE
#undef CUDASIM_SIMD_UNARY
#undef CUDASIM_SIMD_SUM
#undef CUDASIM_SIMD

// Products of pairs, added to c: of four pairs of bytes, or of two 16-bit numbers of a and the low
// or the high two bytes of b.
namespace cudasim {

template <class InA, class InB, class Sum>
CUDASIM_BRANCHLESS Sum AddProducts(unsigned a, unsigned b, Sum c) {
  constexpr unsigned kBits = 8 * sizeof(InA);
  for (unsigned i = 0; i < 32 / kBits; ++i) {
    c += static_cast<Sum>(static_cast<InA>(a >> kBits * i)) *
         static_cast<Sum>(static_cast<InB>(b >> 8 * i));
  }
  return c;
}

}  // namespace cudasim

#define CUDASIM_PRODUCTS(Sum, InA, InB, Bytes, Pair)                                            \
  CUDASIM_INLINE Sum __dp4a(Sum a, Sum b, Sum c) {                                              \
    return ::cudasim::AddProducts<InB, InB>(static_cast<unsigned>(a), static_cast<unsigned>(b), \
                                            c);                                                 \
  }                                                                                             \
  CUDASIM_INLINE Sum __dp2a_lo(Sum a, Sum b, Sum c) {                                           \
    return ::cudasim::AddProducts<InA, InB>(static_cast<unsigned>(a), static_cast<unsigned>(b), \
                                            c);                                                 \
  }                                                                                             \
  CUDASIM_INLINE Sum __dp2a_hi(Sum a, Sum b, Sum c) {                                           \
    return ::cudasim::AddProducts<InA, InB>(static_cast<unsigned>(a),                           \
                                            static_cast<unsigned>(b) >> 16, c);                 \
  }                                                                                             \
  CUDASIM_INLINE Sum __dp4a(Bytes a, Bytes b, Sum c) {                                          \
    return __dp4a(__builtin_bit_cast(Sum, a), __builtin_bit_cast(Sum, b), c);                   \
  }                                                                                             \
  CUDASIM_INLINE Sum __dp2a_lo(Pair a, Bytes b, Sum c) {                                        \
    return __dp2a_lo(__builtin_bit_cast(Sum, a), __builtin_bit_cast(Sum, b), c);                \
  }                                                                                             \
  CUDASIM_INLINE Sum __dp2a_hi(Pair a, Bytes b, Sum c) {                                        \
    return __dp2a_hi(__builtin_bit_cast(Sum, a), __builtin_bit_cast(Sum, b), c);                \
  }

CUDASIM_PRODUCTS(int, short, signed char, char4, short2)
CUDASIM_PRODUCTS(unsigned, unsigned short, unsigned char, uchar4, ushort2)
#undef CUDASIM_PRODUCTS
