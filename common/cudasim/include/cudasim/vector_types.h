// dim3 and the vector types, with the alignment that CUDA gives them.
#pragma once

#if defined(__CUDACC__) && defined(__clang__)
#define CUDASIM_INLINE inline __attribute__((always_inline, host, device))
#else
#define CUDASIM_INLINE inline __attribute__((always_inline))
#endif

// For functions of the simulator that run often, and those in instrumented code.
#define CUDASIM_UNCHECKED __attribute__((no_sanitize("undefined")))
#define CUDASIM_NOT_INSTRUMENTED \
  __attribute__((no_sanitize_thread, no_sanitize_coverage, no_sanitize("undefined")))

// For what a GPU computes without branches and a CPU does not: profile mode sees none of it.
#ifdef CUDASIM_CHECK
#define CUDASIM_BRANCHLESS inline CUDASIM_NOT_INSTRUMENTED
#else
#define CUDASIM_BRANCHLESS CUDASIM_INLINE
#endif

// Behind the parameters of a lambda.
#ifdef __clang__
#define CUDASIM_INLINE_LAMBDA
#else
#define CUDASIM_INLINE_LAMBDA __attribute__((always_inline))
#endif

#define CUDASIM_VECTOR_TYPES(T, Name, align2, align4)                                  \
  struct Name##1 {                                                                     \
    T x;                                                                               \
  };                                                                                   \
  struct alignas(align2) Name##2 {                                                     \
    T x, y;                                                                            \
  };                                                                                   \
  struct Name##3 {                                                                     \
    T x, y, z;                                                                         \
  };                                                                                   \
  struct alignas(align4) Name##4 {                                                     \
    T x, y, z, w;                                                                      \
  };                                                                                   \
  constexpr CUDASIM_INLINE Name##1 make_##Name##1(T x) { return {x}; }                 \
  constexpr CUDASIM_INLINE Name##2 make_##Name##2(T x, T y) { return {x, y}; }         \
  constexpr CUDASIM_INLINE Name##3 make_##Name##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr CUDASIM_INLINE Name##4 make_##Name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

CUDASIM_VECTOR_TYPES(signed char, char, 2, 4)
CUDASIM_VECTOR_TYPES(unsigned char, uchar, 2, 4)
CUDASIM_VECTOR_TYPES(short, short, 4, 8)
CUDASIM_VECTOR_TYPES(unsigned short, ushort, 4, 8)
CUDASIM_VECTOR_TYPES(int, int, 8, 16)
CUDASIM_VECTOR_TYPES(unsigned int, uint, 8, 16)
CUDASIM_VECTOR_TYPES(long, long, 16, 16)
CUDASIM_VECTOR_TYPES(unsigned long, ulong, 16, 16)
CUDASIM_VECTOR_TYPES(long long, longlong, 16, 16)
CUDASIM_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
CUDASIM_VECTOR_TYPES(float, float, 8, 16)
CUDASIM_VECTOR_TYPES(double, double, 16, 16)
#undef CUDASIM_VECTOR_TYPES

// Extents of a grid or a block, in blocks or threads; extents not given are 1.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
