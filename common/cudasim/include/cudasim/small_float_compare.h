// Of 16-bit floats: comparisons of pairs that hold for NaN or give masks, minima and maxima that
// pass NaN on, tanh, complex products.
#pragma once

#include "cudasim/small_float2.h"

namespace cudasim {

// `single`: the comparison of one number.  Pairs of 1 or 0; true if it holds for both; pairs of all
// ones or zeros.
#define CUDASIM_PAIR_MASK(name, single)                                        \
  template <class Format>                                                      \
  CUDASIM_INLINE unsigned name(SmallFloat2<Format> a, SmallFloat2<Format> b) { \
    return 0xffffu * single(a.x, b.x) | 0xffff0000u * single(a.y, b.y);        \
  }
#define CUDASIM_PAIR_UNORDERED(stem)                                                               \
  template <class Format>                                                                          \
  CUDASIM_INLINE SmallFloat2<Format> __h##stem##u2(SmallFloat2<Format> a, SmallFloat2<Format> b) { \
    return {SmallFloat<Format>(static_cast<float>(__h##stem##u(a.x, b.x))),                        \
            SmallFloat<Format>(static_cast<float>(__h##stem##u(a.y, b.y)))};                       \
  }                                                                                                \
  template <class Format>                                                                          \
  CUDASIM_INLINE bool __hb##stem##u2(SmallFloat2<Format> a, SmallFloat2<Format> b) {               \
    return __h##stem##u(a.x, b.x) & __h##stem##u(a.y, b.y);                                        \
  }                                                                                                \
  CUDASIM_PAIR_MASK(__h##stem##2_mask, __h##stem)                                                  \
  CUDASIM_PAIR_MASK(__h##stem##u2_mask, __h##stem##u)
CUDASIM_PAIR_UNORDERED(eq)
CUDASIM_PAIR_UNORDERED(ne)
CUDASIM_PAIR_UNORDERED(lt)
CUDASIM_PAIR_UNORDERED(le)
CUDASIM_PAIR_UNORDERED(gt)
CUDASIM_PAIR_UNORDERED(ge)
#undef CUDASIM_PAIR_UNORDERED
#undef CUDASIM_PAIR_MASK

// NaN if either argument is.
#define CUDASIM_SMALL_NAN(name, pair_name, ordered)                                            \
  template <class Format>                                                                      \
  CUDASIM_BRANCHLESS SmallFloat<Format> name(SmallFloat<Format> a, SmallFloat<Format> b) {     \
    return __hisnan(a) || __hisnan(b) ? SmallFloat<Format>::FromBits(0x7fff) : ordered(a, b);  \
  }                                                                                            \
  template <class Format>                                                                      \
  CUDASIM_INLINE SmallFloat2<Format> pair_name(SmallFloat2<Format> a, SmallFloat2<Format> b) { \
    return {name(a.x, b.x), name(a.y, b.y)};                                                   \
  }
CUDASIM_SMALL_NAN(__hmax_nan, __hmax2_nan, __hmax)
CUDASIM_SMALL_NAN(__hmin_nan, __hmin2_nan, __hmin)
#undef CUDASIM_SMALL_NAN

template <class Format>
CUDASIM_INLINE SmallFloat2<Format> __hfma2_relu(SmallFloat2<Format> a, SmallFloat2<Format> b,
                                                SmallFloat2<Format> c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}

// a * b + c of complex numbers, with their real parts in x.
template <class Format>
CUDASIM_INLINE SmallFloat2<Format> __hcmadd(SmallFloat2<Format> a, SmallFloat2<Format> b,
                                            SmallFloat2<Format> c) {
  return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

// The approximations have full precision here.
template <class Format>
CUDASIM_INLINE SmallFloat<Format> htanh_approx(SmallFloat<Format> a) {
  return htanh(a);
}
template <class Format>
CUDASIM_INLINE SmallFloat2<Format> h2tanh(SmallFloat2<Format> a) {
  return {htanh(a.x), htanh(a.y)};
}
template <class Format>
CUDASIM_INLINE SmallFloat2<Format> h2tanh_approx(SmallFloat2<Format> a) {
  return h2tanh(a);
}

#ifdef __CUDACC__
// Shuffles take them.
template <class Format>
struct IsLaneValue<SmallFloat<Format>> : std::true_type {};
template <class Format>
struct IsLaneValue<SmallFloat2<Format>> : std::true_type {};
#endif

}  // namespace cudasim
