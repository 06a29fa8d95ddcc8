// Integer intrinsics: bits, wide products, shifts across words, averages, sums of differences.
// CUDA Math API, "Integer Intrinsics".
#pragma once

#include "cudasim/vector_types.h"

CUDASIM_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
CUDASIM_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDASIM_INLINE int __ffs(int x) { return __builtin_ffs(x); }
CUDASIM_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDASIM_BRANCHLESS int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
CUDASIM_BRANCHLESS int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}

CUDASIM_INLINE unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
CUDASIM_INLINE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

// Position of the n-th set bit from `base` upwards (n > 0) or downwards; 0xffffffff if there is
// none.  n = 0 asks for bit `base` itself.
CUDASIM_BRANCHLESS unsigned __fns(unsigned mask, unsigned base, int n) {
  const int step = n < 0 ? -1 : 1;
  int left = n == 0 ? 1 : n * step;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1u) != 0 && --left == 0) return static_cast<unsigned>(bit);
    if (n == 0) break;
  }
  return 0xffffffffu;
}

CUDASIM_INLINE int __mul24(int a, int b) {
  const auto sign = [](int x) { return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned>(sign(a)) * static_cast<unsigned>(sign(b)));
}
CUDASIM_INLINE unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
CUDASIM_INLINE int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
CUDASIM_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
CUDASIM_INLINE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
CUDASIM_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}

// The low 3 bits of each nibble of `selector` choose one of the 8 bytes of b:a; the fourth bit
// replicates that byte's sign.
CUDASIM_BRANCHLESS unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned choice = selector >> (4 * i) & 15u;
    unsigned byte = static_cast<unsigned>(bytes >> (8 * (choice & 7u))) & 0xffu;
    if ((choice & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// hi:lo shifted left (_l: the high word) or right (_r: the low word).  The shift is taken modulo
// 32, or clamped to 32 (_lc, _rc).
CUDASIM_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(hi) << 32 | lo;
  return static_cast<unsigned>(both << (shift & 31u) >> 32);
}
CUDASIM_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(hi) << 32 | lo;
  return static_cast<unsigned>(both >> (shift & 31u));
}
CUDASIM_BRANCHLESS unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
CUDASIM_BRANCHLESS unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

// |x - y| + z
CUDASIM_BRANCHLESS unsigned __usad(unsigned x, unsigned y, unsigned z) {
  return (x < y ? y - x : x - y) + z;
}
CUDASIM_BRANCHLESS unsigned __sad(int x, int y, unsigned z) {
  const unsigned a = static_cast<unsigned>(x);
  const unsigned b = static_cast<unsigned>(y);
  return (x < y ? b - a : a - b) + z;
}

// Averages that do not overflow; the r rounds up.
CUDASIM_INLINE int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
CUDASIM_INLINE int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
CUDASIM_INLINE unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
CUDASIM_INLINE unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}
