// Small kernels that many tests launch.
#pragma once

#include <cuda_runtime.h>

inline __global__ void Nothing() {}
inline __global__ void Set(int* to, int value) { *to = value; }
inline __global__ void AddTo(int* to, int value) { *to += value; }
inline __global__ void Double(int* value) { *value *= 2; }
inline __global__ void Copy(int* to, const int* from) { *to = *from; }
inline __global__ void Sum(int* to, const int* a, const int* b) { *to = *a + *b; }
