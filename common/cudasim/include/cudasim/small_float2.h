// Pairs of 16-bit floats: every operation works on both.
#pragma once

#include "cudasim/small_float.h"

namespace cudasim {

template <class Format>
struct alignas(4) SmallFloat2 {
  using Small = SmallFloat<Format>;

  Small x, y;

  SmallFloat2() = default;
  CUDASIM_INLINE SmallFloat2(const SmallFloat2&) = default;
  CUDASIM_INLINE SmallFloat2& operator=(const SmallFloat2&) = default;
  CUDASIM_INLINE SmallFloat2(Small a, Small b) : x(a), y(b) {}

#define CUDASIM_PAIR_BINARY(name, single)                                \
  friend CUDASIM_INLINE SmallFloat2 name(SmallFloat2 a, SmallFloat2 b) { \
    return {single(a.x, b.x), single(a.y, b.y)};                         \
  }
#define CUDASIM_PAIR_OPERATOR(op, name, single)                      \
  CUDASIM_PAIR_BINARY(name, single)                                  \
  CUDASIM_PAIR_BINARY(operator op, single)                           \
  CUDASIM_INLINE SmallFloat2& operator op##=(const SmallFloat2& b) { \
    return *this = name(*this, b);                                   \
  }
  CUDASIM_PAIR_OPERATOR(+, __hadd2, __hadd)
  CUDASIM_PAIR_OPERATOR(-, __hsub2, __hsub)
  CUDASIM_PAIR_OPERATOR(*, __hmul2, __hmul)
  CUDASIM_PAIR_OPERATOR(/, __h2div, __hdiv)
  CUDASIM_PAIR_BINARY(__hadd2_rn, __hadd)
  CUDASIM_PAIR_BINARY(__hsub2_rn, __hsub)
  CUDASIM_PAIR_BINARY(__hmul2_rn, __hmul)
  CUDASIM_PAIR_BINARY(__hadd2_sat, __hadd_sat)
  CUDASIM_PAIR_BINARY(__hsub2_sat, __hsub_sat)
  CUDASIM_PAIR_BINARY(__hmul2_sat, __hmul_sat)
  CUDASIM_PAIR_BINARY(__hmax2, __hmax)
  CUDASIM_PAIR_BINARY(__hmin2, __hmin)
#undef CUDASIM_PAIR_OPERATOR
#undef CUDASIM_PAIR_BINARY

  // 1 or 0 for each; the forms with b: true if both hold.
#define CUDASIM_PAIR_COMPARE(name, bool_name, op, single)                              \
  friend CUDASIM_INLINE SmallFloat2 name(SmallFloat2 a, SmallFloat2 b) {               \
    return {Small(static_cast<float>(single(a.x, b.x))),                               \
            Small(static_cast<float>(single(a.y, b.y)))};                              \
  }                                                                                    \
  friend CUDASIM_INLINE bool bool_name(SmallFloat2 a, SmallFloat2 b) {                 \
    return single(a.x, b.x) & single(a.y, b.y);                                        \
  }                                                                                    \
  friend CUDASIM_INLINE bool operator op(const SmallFloat2& a, const SmallFloat2& b) { \
    return bool_name(a, b);                                                            \
  }
  CUDASIM_PAIR_COMPARE(__heq2, __hbeq2, ==, __heq)
  CUDASIM_PAIR_COMPARE(__hne2, __hbne2, !=, __hne)
  CUDASIM_PAIR_COMPARE(__hlt2, __hblt2, <, __hlt)
  CUDASIM_PAIR_COMPARE(__hle2, __hble2, <=, __hle)
  CUDASIM_PAIR_COMPARE(__hgt2, __hbgt2, >, __hgt)
  CUDASIM_PAIR_COMPARE(__hge2, __hbge2, >=, __hge)
#undef CUDASIM_PAIR_COMPARE

#define CUDASIM_PAIR_UNARY(name, single) \
  friend CUDASIM_INLINE SmallFloat2 name(SmallFloat2 a) { return {single(a.x), single(a.y)}; }
  CUDASIM_PAIR_UNARY(__hneg2, __hneg)
  CUDASIM_PAIR_UNARY(__habs2, __habs)
  CUDASIM_PAIR_UNARY(operator-, __hneg)
  CUDASIM_PAIR_UNARY(h2sqrt, hsqrt)
  CUDASIM_PAIR_UNARY(h2rsqrt, hrsqrt)
  CUDASIM_PAIR_UNARY(h2rcp, hrcp)
  CUDASIM_PAIR_UNARY(h2exp, hexp)
  CUDASIM_PAIR_UNARY(h2exp2, hexp2)
  CUDASIM_PAIR_UNARY(h2exp10, hexp10)
  CUDASIM_PAIR_UNARY(h2log, hlog)
  CUDASIM_PAIR_UNARY(h2log2, hlog2)
  CUDASIM_PAIR_UNARY(h2log10, hlog10)
  CUDASIM_PAIR_UNARY(h2sin, hsin)
  CUDASIM_PAIR_UNARY(h2cos, hcos)
  CUDASIM_PAIR_UNARY(h2floor, hfloor)
  CUDASIM_PAIR_UNARY(h2ceil, hceil)
  CUDASIM_PAIR_UNARY(h2trunc, htrunc)
  CUDASIM_PAIR_UNARY(h2rint, hrint)
#undef CUDASIM_PAIR_UNARY

  friend CUDASIM_INLINE SmallFloat2 __hfma2(SmallFloat2 a, SmallFloat2 b, SmallFloat2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
  }
  friend CUDASIM_INLINE SmallFloat2 __hfma2_sat(SmallFloat2 a, SmallFloat2 b, SmallFloat2 c) {
    return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
  }
  friend CUDASIM_INLINE SmallFloat2 __hisnan2(SmallFloat2 a) {
    return {Small(static_cast<float>(__hisnan(a.x))), Small(static_cast<float>(__hisnan(a.y)))};
  }
};

}  // namespace cudasim
