// For editors, clang reads `.cu` files: it parses CUDA's syntax itself, so that no rewriting is
// needed to mark errors and complete names.  No program is compiled this way.
//
// Included by cuda_runtime.h before all else when clang compiles CUDA.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __cluster_dims__(...)

// Builtins that only g++ has.
#define __builtin_exp10f exp10f
#define __builtin_exp10 exp10

// The standard library writes __attribute__((__noinline__)), which must stay valid.
#define __noinline__

#include <stdlib.h>  // first: clang's <new> takes malloc from it

// Declared before cuda_runtime.h makes all that follows callable from kernels, which would be an
// error for these.
#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "cudasim/implicit_includes.h"

struct dim3;
typedef struct CUstream_st* cudaStream_t;

// Functions that clang's older and newer versions call for kernel<<<...>>>.
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, unsigned long shared_bytes = 0,
                                 cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                unsigned long shared_bytes = 0, void* stream = 0);

// Declared for the host alone by the headers above.
extern "C" {
__device__ int printf(const char* format, ...);
__device__ void __assert_fail(const char*, const char*, unsigned, const char*);
__device__ int abs(int);
__device__ long clock();
__device__ void* malloc(unsigned long);
__device__ void free(void*);
}
__device__ float abs(float);
__device__ double abs(double);
