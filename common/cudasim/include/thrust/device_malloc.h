// thrust::device_malloc() and thrust::device_free().
#pragma once

#include <new>

#include "device_ptr.h"

namespace thrust {

// Uninitialised memory for `count` values.  Throws std::bad_alloc where there is no more.
template <class T>
CUDASIM_INLINE device_ptr<T> device_malloc(std::size_t count) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, count * sizeof(T));
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::bad_alloc();
  }
  cuda_errors::Check(error, "thrust::device_malloc");
  return device_ptr<T>(static_cast<T*>(memory));
}

template <class T>
CUDASIM_INLINE void device_free(device_ptr<T> pointer) {
  cuda_errors::Check(cudaFree(pointer.get()), "thrust::device_free");
}

}  // namespace thrust
