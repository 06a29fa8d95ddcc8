// CUDA's qualifiers in host code, which may name them in headers that it shares with `.cu` files.
#pragma once

#define __global__
#define __host__
#define __device__
#define __constant__
#define __shared__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
