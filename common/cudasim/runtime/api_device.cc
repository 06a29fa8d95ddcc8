// Devices and their properties.  There is one device, modelled on an H100.
#include <cstring>

#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/device.h"
#include "common/cudasim/runtime/errors.h"
#include "common/cudasim/runtime/heap.h"

namespace {

void FillLimits(cudaDeviceProp& p) {
  p.totalGlobalMem = cudasim::DeviceMemoryBytes();
  p.sharedMemPerBlock = cudasim::kMaxSharedBytes;
  p.sharedMemPerBlockOptin = cudasim::kMaxSharedBytes;
  p.sharedMemPerMultiprocessor = std::size_t{228} << 10;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = cudasim::kMaxThreads;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = cudasim::kMaxThreads;
  p.maxThreadsDim[2] = cudasim::kMaxBlockZ;
  p.maxGridSize[0] = cudasim::kMaxGridX;
  p.maxGridSize[1] = p.maxGridSize[2] = cudasim::kMaxGridYz;
  p.totalConstMem = std::size_t{64} << 10;
  p.textureAlignment = 512;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  return cudasim::Return(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  if (device != 0) return cudasim::Return(cudaErrorInvalidDevice);
  cudaDeviceProp& p = *properties;
  p = {};
  std::strcpy(p.name, "cudasim (modelled on NVIDIA H100 80GB HBM3)");
  FillLimits(p);
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = 132;
  p.clockRate = 1980000;
  p.memoryClockRate = 2619000;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 50 << 20;
  p.concurrentKernels = p.unifiedAddressing = p.canMapHostMemory = p.managedMemory = 1;
  p.asyncEngineCount = 3;
  p.deviceOverlap = 1;
  return cudasim::Return(cudaSuccess);
}

int cudasimChecks() { return cudasim::kCheckMode ? 1 : 0; }

#ifndef CUDASIM_PROFILE
int cudasimWriteProfile() { return 0; }

void cudasimResetProfile() {}
#endif

cudaError_t cudaDeviceSynchronize() { return cudasim::Return(cudaSuccess); }

cudaError_t cudaDeviceReset() {
  cudasim::DeviceHeap::Get().FreeAll(__builtin_return_address(0));
  return cudasim::Return(cudaSuccess);
}

}  // extern "C"
