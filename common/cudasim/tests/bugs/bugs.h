// What programs with bugs have in common. X.txt holds the simulator's reports of those in X.cu.
#pragma once

#include <cuda_runtime.h>

#include "common/cudasim/tests/programs.h"

// Leaves out what nvcc rejects, so that the rest can be compared with other tools on a GPU.
#ifdef __NVCC__
#define NOT_ON_A_GPU(...)
#else
#define NOT_ON_A_GPU(...) __VA_ARGS__
#endif

// Device memory of which nothing is written; nobody frees it.
template <class T = int>
T* Allocate(int count) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(T));
  return pointer;
}

template <class T = int>
T* Zeros(int count) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(T));
  cudaMemset(static_cast<void*>(pointer), 0, count * sizeof(T));
  return pointer;
}

// A stream that waits for the default stream unless the flags say otherwise.
inline cudaStream_t NewStream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, flags);
  return stream;
}
