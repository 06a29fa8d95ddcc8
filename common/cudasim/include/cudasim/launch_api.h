// Launches through the API, and queries about kernels.  `kernel` is a kernel's address, typed or as
// const void*; `arguments` holds the address of each argument.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cudasim/driver_types.h"
#include "cudasim/hardware.h"
#include "cudasim/launch_attributes.h"
#include "cudasim/vector_types.h"

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15  // no effect
};

#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01

// Registers are not known: numRegs is 0.
struct cudaFuncAttributes {
  size_t sharedSizeBytes;  // of the variables in the kernel's own text
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;  // by __cluster_dims__; 0 without it
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
};

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace cudasim {

// The place of the launch in the source.
struct CallSite {
  const char* file;
  int line;
};

// A configuration, and the place where it is passed to a function with parameters of any number.
struct ConfigHere {
  const cudaLaunchConfig_t* config;
  CallSite site;

  ConfigHere(const cudaLaunchConfig_t* passed, const char* file = __builtin_FILE(),
             int line = __builtin_LINE())
      : config(passed), site{file, line} {}
};

cudaError_t LaunchKernel(const void* kernel, const cudaLaunchConfig_t& config, void** arguments,
                         bool cooperative, const CallSite& site);
cudaError_t SetFunctionAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t GetFunctionAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t GetResidentBlocks(int* blocks, const void* kernel, int threads, size_t dynamic_bytes);
cudaError_t GetResidentClusters(int* clusters, const void* kernel,
                                const cudaLaunchConfig_t* config);
cudaError_t GetLargestCluster(int* blocks, const void* kernel, const cudaLaunchConfig_t* config);

// A parameter that is not deduced, but converted as in a call of the kernel itself.
template <class T>
struct NonDeduced {
  using Type = T;
};

template <class Kernel>
const void* Address(Kernel kernel) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace cudasim

template <class Kernel>
cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return cudasim::LaunchKernel(cudasim::Address(kernel),
                               {grid, block, shared_bytes, stream, nullptr, 0}, arguments, false,
                               {file, line});
}

template <class Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                        const char* file = __builtin_FILE(),
                                        int line = __builtin_LINE()) {
  return cudasim::LaunchKernel(cudasim::Address(kernel),
                               {grid, block, shared_bytes, stream, nullptr, 0}, arguments, true,
                               {file, line});
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments, const char* file = __builtin_FILE(),
                                       int line = __builtin_LINE()) {
  return cudasim::LaunchKernel(kernel, *config, arguments, false, {file, line});
}

template <class... P>
cudaError_t cudaLaunchKernelEx(cudasim::ConfigHere config, void (*kernel)(P...),
                               typename cudasim::NonDeduced<P>::Type... arguments) {
  void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(&arguments))...,
                       nullptr};
  return cudasim::LaunchKernel(cudasim::Address(kernel), *config.config, addresses, false,
                               config.site);
}

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return cudasim::SetFunctionAttribute(cudasim::Address(kernel), attribute, value);
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return cudasim::GetFunctionAttributes(attributes, cudasim::Address(kernel));
}
// Caches are not modelled.
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache) {
  cudaFuncAttributes attributes;
  return cudasim::GetFunctionAttributes(&attributes, cudasim::Address(kernel));
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel kernel, int threads,
                                                          size_t dynamic_bytes) {
  return cudasim::GetResidentBlocks(blocks, cudasim::Address(kernel), threads, dynamic_bytes);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel kernel,
                                                                   int threads,
                                                                   size_t dynamic_bytes, unsigned) {
  return cudasim::GetResidentBlocks(blocks, cudasim::Address(kernel), threads, dynamic_bytes);
}

// *clusters: how many of the configuration's clusters the GPU can hold at a time, if clusters may
// lie across its processing clusters (GPCs), which a GPU does not allow: an upper bound.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel kernel,
                                           const cudaLaunchConfig_t* config) {
  return cudasim::GetResidentClusters(clusters, cudasim::Address(kernel), config);
}
// *blocks: the largest size of a cluster that the kernel may be launched with.
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, Kernel kernel,
                                                 const cudaLaunchConfig_t* config) {
  return cudasim::GetLargestCluster(blocks, cudasim::Address(kernel), config);
}

// *block: the largest number of threads with maximal occupancy; *grid: how many such blocks fill
// the GPU.  `to_bytes`: dynamic shared memory for a number of threads.
template <class ToBytes, class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel kernel,
                                                           ToBytes to_bytes, int limit = 0) {
  constexpr int kWarp = 32, kMost = cudasim::kMaxThreads;
  int best = 0;
  *grid = *block = 0;
  const int first = limit > 0 && limit < kMost ? limit : kMost;
  for (int threads = first; threads > 0; threads = (threads - 1) / kWarp * kWarp) {
    int blocks = 0;
    const cudaError_t error = cudasim::GetResidentBlocks(&blocks, cudasim::Address(kernel), threads,
                                                         static_cast<size_t>(to_bytes(threads)));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    *grid = blocks * static_cast<int>(cudasim::kMultiprocessors);
  }
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel kernel,
                                               size_t dynamic_bytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [dynamic_bytes](int) { return dynamic_bytes; }, limit);
}
