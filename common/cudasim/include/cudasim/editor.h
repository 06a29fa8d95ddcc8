// clang reads `.cu` files for editors: it knows CUDA's syntax itself, so that no rewriting is
// needed to mark errors and complete names.  Nothing is ever compiled like this.
//
// Included by cuda_runtime.h before all else when clang compiles CUDA.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

// What g++ alone has built in.
#define __builtin_exp10f exp10f
#define __builtin_exp10 exp10

// The standard library writes __attribute__((__noinline__)), which must stay right.
#define __noinline__

#include <stdlib.h>  // first: clang's <new> takes malloc from it

// Before cuda_runtime.h makes what follows callable from kernels: these would not bear it.
#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

struct dim3;
typedef struct CUstream_st* cudaStream_t;

// What clang asks for when it sees kernel<<<...>>>, old and new.
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
