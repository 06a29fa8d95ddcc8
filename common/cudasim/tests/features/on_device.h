// Values that one thread computes on the device.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

template <class T, class Write>
__global__ void CallOnDevice(T* out, Write write) {
  write(out);
}

// What `write` stores in an array of `count` elements.
template <class T = float, class Write>
std::vector<T> OnDevice(Write write, std::size_t count) {
  DeviceVector<T> out(count);
  CallOnDevice<<<1, 1>>>(out.get(), write);
  return out.ToHost();
}
