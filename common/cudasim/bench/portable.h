// Macros to compile the same kernels and host code for the simulator and for HIP-CPU (BENCH_HIP).
#pragma once

#ifdef BENCH_HIP

#include <hip/hip_runtime.h>

#define BENCH_LAUNCH(kernel, grid, block, ...) \
  hipLaunchKernelGGL(kernel, dim3(grid), dim3(block), 0, nullptr, __VA_ARGS__)
#define cudaMalloc(pointer, bytes) hipMalloc(reinterpret_cast<void**>(pointer), bytes)
#define cudaFree hipFree
#define cudaMemcpy hipMemcpy
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemset hipMemset
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaSuccess hipSuccess

#else

#define BENCH_LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

#endif
