// OpenCL C for the kernels' text that the rewriter puts into namespace opencl_c::program_N, and how
// its kernels become known to the runtime.
//
// A work item is a thread, a work group a block, local memory shared memory. The text is compiled
// as C++, in which these types and functions hide CUDA's of the same names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudasim/atomics.h"
#include "cudasim/device_functions.h"
#include "cudasim/math.h"
#include "cudasim/opencl_programs.h"
#include "cudasim/registers.h"
#include "cudasim/shared.h"
#include "cudasim/sync_threads.h"
#include "cudasim/vector_types.h"

namespace opencl_c {

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned;
using ulong = unsigned long;

CUDASIM_INLINE size_t get_global_id(uint d) {
  return d == 0   ? size_t{blockIdx.x} * blockDim.x + threadIdx.x
         : d == 1 ? size_t{blockIdx.y} * blockDim.y + threadIdx.y
         : d == 2 ? size_t{blockIdx.z} * blockDim.z + threadIdx.z
                  : 0;
}
CUDASIM_INLINE size_t get_global_size(uint d) {
  return d == 0   ? size_t{gridDim.x} * blockDim.x
         : d == 1 ? size_t{gridDim.y} * blockDim.y
         : d == 2 ? size_t{gridDim.z} * blockDim.z
                  : 1;
}
CUDASIM_INLINE size_t get_global_offset(uint) { return 0; }
#define CUDASIM_BY_DIMENSION(function, variable, otherwise)                             \
  CUDASIM_INLINE size_t function(uint d) {                                              \
    return d == 0 ? variable.x : d == 1 ? variable.y : d == 2 ? variable.z : otherwise; \
  }
CUDASIM_BY_DIMENSION(get_local_id, threadIdx, 0)
CUDASIM_BY_DIMENSION(get_local_size, blockDim, 1)
CUDASIM_BY_DIMENSION(get_group_id, blockIdx, 0)
CUDASIM_BY_DIMENSION(get_num_groups, gridDim, 1)
#undef CUDASIM_BY_DIMENSION

constexpr uint CLK_LOCAL_MEM_FENCE = 1, CLK_GLOBAL_MEM_FENCE = 2;

// Orders accesses to local and to global memory, whichever fence it is given.
CUDASIM_INLINE CUDASIM_UNCHECKED void barrier(uint, const char* file = __builtin_FILE(),
                                              int line = __builtin_LINE()) {
  ::cudasim::SyncThreads(file, line);
}

// A __local parameter of a kernel: its offset in the group's dynamic shared memory.
template <class T>
struct Local {
  CUDASIM_INLINE operator T*() const {
    return reinterpret_cast<T*>(::cudasim::DynamicShared<char>() + offset);
  }
  std::size_t offset;
};

#define CUDASIM_CL_VECTOR(T, Name)                                                         \
  struct alignas(2 * sizeof(T)) Name##2 {                                                  \
    union {                                                                                \
      struct {                                                                             \
        T x, y;                                                                            \
      };                                                                                   \
      struct {                                                                             \
        T s0, s1;                                                                          \
      };                                                                                   \
    };                                                                                     \
    Name##2() = default;                                                                   \
    CUDASIM_INLINE Name##2(T all) : x(all), y(all) {}                                      \
    CUDASIM_INLINE Name##2(T a, T b) : x(a), y(b) {}                                       \
  };                                                                                       \
  struct alignas(4 * sizeof(T)) Name##4 {                                                  \
    union {                                                                                \
      struct {                                                                             \
        T x, y, z, w;                                                                      \
      };                                                                                   \
      struct {                                                                             \
        T s0, s1, s2, s3;                                                                  \
      };                                                                                   \
    };                                                                                     \
    Name##4() = default;                                                                   \
    CUDASIM_INLINE Name##4(T all) : x(all), y(all), z(all), w(all) {}                      \
    CUDASIM_INLINE Name##4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}                 \
    CUDASIM_INLINE Name##4(Name##2 a, Name##2 b) : x(a.x), y(a.y), z(b.x), w(b.y) {}       \
  };                                                                                       \
  CUDASIM_CL_OPERATOR(Name, +)                                                             \
  CUDASIM_CL_OPERATOR(Name, -)                                                             \
  CUDASIM_CL_OPERATOR(Name, *)                                                             \
  CUDASIM_CL_OPERATOR(Name, /)                                                             \
  CUDASIM_INLINE Name##2 vload2(size_t i, const T* p) { return {p[2 * i], p[2 * i + 1]}; } \
  CUDASIM_INLINE Name##4 vload4(size_t i, const T* p) {                                    \
    p += 4 * i;                                                                            \
    return {p[0], p[1], p[2], p[3]};                                                       \
  }                                                                                        \
  CUDASIM_INLINE void vstore2(Name##2 v, size_t i, T* p) {                                 \
    p += 2 * i;                                                                            \
    p[0] = v.x, p[1] = v.y;                                                                \
  }                                                                                        \
  CUDASIM_INLINE void vstore4(Name##4 v, size_t i, T* p) {                                 \
    p += 4 * i;                                                                            \
    p[0] = v.x, p[1] = v.y, p[2] = v.z, p[3] = v.w;                                        \
  }
#define CUDASIM_CL_OPERATOR(Name, op)                                                           \
  CUDASIM_INLINE Name##2 operator op(Name##2 a, Name##2 b) { return {a.x op b.x, a.y op b.y}; } \
  CUDASIM_INLINE Name##2 & operator op##=(Name##2 & a, Name##2 b) { return a = a op b; }        \
  CUDASIM_INLINE Name##4 operator op(Name##4 a, Name##4 b) {                                    \
    return {a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w};                                    \
  }                                                                                             \
  CUDASIM_INLINE Name##4 & operator op##=(Name##4 & a, Name##4 b) { return a = a op b; }
CUDASIM_CL_VECTOR(int, int)
CUDASIM_CL_VECTOR(unsigned, uint)
CUDASIM_CL_VECTOR(float, float)
#undef CUDASIM_CL_OPERATOR
#undef CUDASIM_CL_VECTOR

CUDASIM_INLINE float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
CUDASIM_INLINE float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// Two roundings or one: OpenCL leaves mad() open.
CUDASIM_INLINE float mad(float a, float b, float c) { return a * b + c; }
CUDASIM_INLINE float2 mad(float2 a, float2 b, float2 c) { return a * b + c; }
CUDASIM_INLINE float4 mad(float4 a, float4 b, float4 c) { return a * b + c; }
CUDASIM_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CUDASIM_INLINE float2 fma(float2 a, float2 b, float2 c) {
  return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y)};
}
CUDASIM_INLINE float4 fma(float4 a, float4 b, float4 c) {
  return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y), fma(a.z, b.z, c.z), fma(a.w, b.w, c.w)};
}
using ::max;
using ::min;
template <class T>
CUDASIM_INLINE T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}
CUDASIM_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
CUDASIM_INLINE float rsqrt(float x) { return cudasim_rsqrtf(x); }
CUDASIM_INLINE float fabs(float x) { return __builtin_fabsf(x); }
CUDASIM_INLINE float fmin(float a, float b) { return __builtin_fminf(a, b); }
CUDASIM_INLINE float fmax(float a, float b) { return __builtin_fmaxf(a, b); }
CUDASIM_INLINE float floor(float x) { return __builtin_floorf(x); }
CUDASIM_INLINE float ceil(float x) { return __builtin_ceilf(x); }
CUDASIM_INLINE float exp(float x) { return __builtin_expf(x); }
CUDASIM_INLINE float log(float x) { return __builtin_logf(x); }

CUDASIM_INLINE int atomic_add(volatile int* p, int value) { return atomicAdd((int*)p, value); }
CUDASIM_INLINE uint atomic_add(volatile uint* p, uint value) { return atomicAdd((uint*)p, value); }
CUDASIM_INLINE int atomic_inc(volatile int* p) { return atomicAdd((int*)p, 1); }
CUDASIM_INLINE uint atomic_inc(volatile uint* p) { return atomicAdd((uint*)p, 1u); }

// How the kernels of a text become known to clCreateKernel() and clSetKernelArg().
template <class T>
inline constexpr Parameter kParameter{ParameterKind::kValue, sizeof(T)};
template <class T>
inline constexpr Parameter kParameter<T*>{ParameterKind::kBuffer, sizeof(T*)};
template <class T>
inline constexpr Parameter kParameter<Local<T>>{ParameterKind::kLocal, 0};

template <class... P>
inline constexpr Parameter kParameters[] = {kParameter<P>..., {ParameterKind::kValue, 0}};

template <class... P>
Kernel KernelOf(const char* name, void (*kernel)(P...)) {
  return {name, reinterpret_cast<const void*>(kernel), kParameters<P...>, sizeof...(P)};
}

struct Registration {
  template <std::size_t kCount>
  Registration(std::uint64_t hash, const Kernel (&kernels)[kCount])
      : program{hash, kernels, kCount} {
    cudasimRegisterProgram(&program);
  }
  Program program;
};

}  // namespace opencl_c
