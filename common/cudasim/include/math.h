// The C library's <math.h>.  In C++20 it brings std::lerp into the global namespace, where programs
// for nvcc, whose default is C++17, define a lerp of their own.
#if defined(_GLIBCXX_INCLUDE_NEXT_C_HEADERS) || !defined(__cplusplus) || __cplusplus <= 201703L
#include_next <math.h>  // <cmath> asks for it, where a compiler's own folders come before ours
#elif !defined(CUDASIM_MATH_H)
#define CUDASIM_MATH_H
#include <cmath>
namespace std {
void cudasim_no_lerp();  // brought into the global namespace in its place
}
#define lerp cudasim_no_lerp
#include_next <math.h>
#undef lerp
#endif
