// The C library's <math.h>.  In C++20 it brings std::lerp into the global namespace, where programs
// for nvcc, whose default is C++17, define a lerp of their own.
#pragma once

#if defined(__cplusplus) && __cplusplus > 201703L
#include <cmath>
namespace std {
void cudasim_no_lerp();  // brought into the global namespace in its place
}
#define lerp cudasim_no_lerp
#include_next <math.h>
#undef lerp
#else
#include_next <math.h>
#endif
