// C library functions that differ on the device.  Giving them another link name, before any
// standard header declares them, sends the calls of this translation unit to the simulator; calls
// from host code behave as usual.
//
// Check mode sees memory accesses through the compiler's instrumentation, which leaves calls of the
// C library alone: of memcpy, memmove and memset, and of mathematical functions with a second
// result.  They are redirected too.
#pragma once

extern "C" {
void* malloc(unsigned long) noexcept __asm__("cudasim_malloc");
void* calloc(unsigned long, unsigned long) noexcept __asm__("cudasim_calloc");
void* realloc(void*, unsigned long) noexcept __asm__("cudasim_realloc");
void free(void*) noexcept __asm__("cudasim_free");
long clock() noexcept __asm__("cudasim_clock");
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept
    __asm__("cudasim_assert_fail") __attribute__((noreturn));
}

#ifdef CUDASIM_CHECK
extern "C" {
void* memcpy(void*, const void*, unsigned long) noexcept __asm__("cudasim_memcpy");
void* memmove(void*, const void*, unsigned long) noexcept __asm__("cudasim_memmove");
void* memset(void*, int, unsigned long) noexcept __asm__("cudasim_memset");
// The symbols are spelled out: those that stand here are the ones that a submission may use.
void sincos(double, double*, double*) noexcept __asm__("cudasim_sincos");
double frexp(double, int*) noexcept __asm__("cudasim_frexp");
double modf(double, double*) noexcept __asm__("cudasim_modf");
double remquo(double, double, int*) noexcept __asm__("cudasim_remquo");
void sincosf(float, float*, float*) noexcept __asm__("cudasim_sincosf");
float frexpf(float, int*) noexcept __asm__("cudasim_frexpf");
float modff(float, float*) noexcept __asm__("cudasim_modff");
float remquof(float, float, int*) noexcept __asm__("cudasim_remquof");
void sincosl(long double, long double*, long double*) noexcept __asm__("cudasim_sincosl");
long double frexpl(long double, int*) noexcept __asm__("cudasim_frexpl");
long double modfl(long double, long double*) noexcept __asm__("cudasim_modfl");
long double remquol(long double, long double, int*) noexcept __asm__("cudasim_remquol");
}
#define CUDASIM_AT_RUN_TIME(function) function
#else
#define CUDASIM_AT_RUN_TIME(function) __builtin_##function
#endif

namespace cudasim {

#define CUDASIM_CONSTEXPR_INLINE constexpr inline __attribute__((always_inline))
CUDASIM_CONSTEXPR_INLINE void* Copy(void* to, const void* from, unsigned long bytes) {
  return __builtin_is_constant_evaluated() ? __builtin_memcpy(to, from, bytes)
                                           : CUDASIM_AT_RUN_TIME(memcpy)(to, from, bytes);
}
CUDASIM_CONSTEXPR_INLINE void* Move(void* to, const void* from, unsigned long bytes) {
  return __builtin_is_constant_evaluated() ? __builtin_memmove(to, from, bytes)
                                           : CUDASIM_AT_RUN_TIME(memmove)(to, from, bytes);
}
CUDASIM_CONSTEXPR_INLINE void* Fill(void* to, int value, unsigned long bytes) {
  return __builtin_is_constant_evaluated() ? __builtin_memset(to, value, bytes)
                                           : CUDASIM_AT_RUN_TIME(memset)(to, value, bytes);
}
#undef CUDASIM_CONSTEXPR_INLINE
#undef CUDASIM_AT_RUN_TIME

}  // namespace cudasim

// std::copy and std::fill call these: the compiler would inline the builtins or call the C library,
// which the simulator does not see.  Defined in all modes, so that the source is the same.
#define __builtin_memcpy(...) ::cudasim::Copy(__VA_ARGS__)
#define __builtin_memmove(...) ::cudasim::Move(__VA_ARGS__)
#define __builtin_memset(...) ::cudasim::Fill(__VA_ARGS__)
