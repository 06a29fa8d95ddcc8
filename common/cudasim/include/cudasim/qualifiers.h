// The qualifiers that need no rewriting.  The rewriter handles __global__, __host__, __device__,
// __shared__, __constant__ and __noinline__, which are no macros: the standard library also writes
// __attribute__((__noinline__)).
#pragma once

#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
