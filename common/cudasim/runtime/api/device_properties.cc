// The properties of the device, which is modelled on an H100 (SXM, 80 GB), and its attributes.
#include <cstring>

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"

namespace cudasim {
namespace {

void FillLimits(cudaDeviceProp& p) {
  p.totalGlobalMem = DeviceMemoryBytes();
  p.sharedMemPerBlock = kMaxSharedBytes;
  p.sharedMemPerBlockOptin = kMaxSharedBytesOptin;
  p.sharedMemPerMultiprocessor = std::size_t{228} << 10;
  p.reservedSharedMemPerBlock = std::size_t{1} << 10;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = kMaxThreads;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = kMaxThreads;
  p.maxThreadsDim[2] = kMaxBlockZ;
  p.maxGridSize[0] = kMaxGridX;
  p.maxGridSize[1] = p.maxGridSize[2] = kMaxGridYz;
  p.totalConstMem = std::size_t{64} << 10;
}

void FillTextureLimits(cudaDeviceProp& p) {
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.maxTexture1DLayered[0] = p.maxSurface1DLayered[0] = p.maxSurface1D = 32768;
  p.maxTexture1DLayered[1] = p.maxSurface1DLayered[1] = 2048;
  for (int* const limit : {p.maxTexture2DLayered, p.maxSurface2DLayered}) {
    limit[0] = limit[1] = 32768;
    limit[2] = 2048;
  }
  p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
  p.maxTextureCubemapLayered[0] = p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = p.maxSurfaceCubemapLayered[1] = 2046;
  p.maxSurface2D[0] = 131072;
  p.maxSurface2D[1] = 65536;
  p.maxSurface3D[0] = p.maxSurface3D[1] = p.maxSurface3D[2] = 16384;
  p.maxTexture1D = 131072;
  p.maxTexture1DLinear = 268435456;
  p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture2DLinear[0] = 131072;
  p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
}

void FillHardware(cudaDeviceProp& p) {
  p.major = 9;
  p.minor = 0;
  p.multiProcessorCount = kMultiprocessors;
  p.clockRate = kClockKhz;
  p.memoryClockRate = 2619000;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 50 << 20;
  p.persistingL2CacheMaxSize = 32768000;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.ECCEnabled = 1;
  p.pciBusID = 1;
  p.asyncEngineCount = 3;
}

void FillAbilities(cudaDeviceProp& p) {
  p.deviceOverlap = p.concurrentKernels = p.unifiedAddressing = 1;
  p.canMapHostMemory = p.managedMemory = p.concurrentManagedAccess = 1;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.computePreemptionSupported = p.cooperativeLaunch = p.clusterLaunch = 1;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
}

cudaDeviceProp MakeProperties() {
  cudaDeviceProp p{};
  std::strcpy(p.name, "cudasim (modelled on NVIDIA H100 80GB HBM3)");
  std::strcpy(p.uuid.bytes, "cudasim");
  FillLimits(p);
  FillTextureLimits(p);
  FillHardware(p);
  FillAbilities(p);
  return p;
}

const cudaDeviceProp& Properties() {
  static const cudaDeviceProp properties = MakeProperties();
  return properties;
}

struct Attribute {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp&);
};

#define CUDASIM_ATTRIBUTE(attribute, field)                                      \
  {                                                                              \
    attribute, [](const cudaDeviceProp& p) { return static_cast<int>(p.field); } \
  }
constexpr Attribute kAttributes[] = {
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxThreadsPerBlock, maxThreadsPerBlock),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxBlockDimX, maxThreadsDim[0]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxBlockDimY, maxThreadsDim[1]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxBlockDimZ, maxThreadsDim[2]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxGridDimX, maxGridSize[0]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxGridDimY, maxGridSize[1]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxGridDimZ, maxGridSize[2]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlock, sharedMemPerBlock),
    CUDASIM_ATTRIBUTE(cudaDevAttrTotalConstantMemory, totalConstMem),
    CUDASIM_ATTRIBUTE(cudaDevAttrWarpSize, warpSize),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxPitch, memPitch),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxRegistersPerBlock, regsPerBlock),
    CUDASIM_ATTRIBUTE(cudaDevAttrClockRate, clockRate),
    CUDASIM_ATTRIBUTE(cudaDevAttrTextureAlignment, textureAlignment),
    CUDASIM_ATTRIBUTE(cudaDevAttrGpuOverlap, deviceOverlap),
    CUDASIM_ATTRIBUTE(cudaDevAttrMultiProcessorCount, multiProcessorCount),
    CUDASIM_ATTRIBUTE(cudaDevAttrKernelExecTimeout, kernelExecTimeoutEnabled),
    CUDASIM_ATTRIBUTE(cudaDevAttrIntegrated, integrated),
    CUDASIM_ATTRIBUTE(cudaDevAttrCanMapHostMemory, canMapHostMemory),
    CUDASIM_ATTRIBUTE(cudaDevAttrComputeMode, computeMode),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture1DWidth, maxTexture1D),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture2DWidth, maxTexture2D[0]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture2DHeight, maxTexture2D[1]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture3DWidth, maxTexture3D[0]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture3DHeight, maxTexture3D[1]),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture3DDepth, maxTexture3D[2]),
    CUDASIM_ATTRIBUTE(cudaDevAttrSurfaceAlignment, surfaceAlignment),
    CUDASIM_ATTRIBUTE(cudaDevAttrConcurrentKernels, concurrentKernels),
    CUDASIM_ATTRIBUTE(cudaDevAttrEccEnabled, ECCEnabled),
    CUDASIM_ATTRIBUTE(cudaDevAttrPciBusId, pciBusID),
    CUDASIM_ATTRIBUTE(cudaDevAttrPciDeviceId, pciDeviceID),
    CUDASIM_ATTRIBUTE(cudaDevAttrTccDriver, tccDriver),
    CUDASIM_ATTRIBUTE(cudaDevAttrMemoryClockRate, memoryClockRate),
    CUDASIM_ATTRIBUTE(cudaDevAttrGlobalMemoryBusWidth, memoryBusWidth),
    CUDASIM_ATTRIBUTE(cudaDevAttrL2CacheSize, l2CacheSize),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    CUDASIM_ATTRIBUTE(cudaDevAttrAsyncEngineCount, asyncEngineCount),
    CUDASIM_ATTRIBUTE(cudaDevAttrUnifiedAddressing, unifiedAddressing),
    CUDASIM_ATTRIBUTE(cudaDevAttrPciDomainId, pciDomainID),
    CUDASIM_ATTRIBUTE(cudaDevAttrTexturePitchAlignment, texturePitchAlignment),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxTexture1DLinearWidth, maxTexture1DLinear),
    CUDASIM_ATTRIBUTE(cudaDevAttrComputeCapabilityMajor, major),
    CUDASIM_ATTRIBUTE(cudaDevAttrComputeCapabilityMinor, minor),
    CUDASIM_ATTRIBUTE(cudaDevAttrStreamPrioritiesSupported, streamPrioritiesSupported),
    CUDASIM_ATTRIBUTE(cudaDevAttrGlobalL1CacheSupported, globalL1CacheSupported),
    CUDASIM_ATTRIBUTE(cudaDevAttrLocalL1CacheSupported, localL1CacheSupported),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    CUDASIM_ATTRIBUTE(cudaDevAttrManagedMemory, managedMemory),
    CUDASIM_ATTRIBUTE(cudaDevAttrIsMultiGpuBoard, isMultiGpuBoard),
    CUDASIM_ATTRIBUTE(cudaDevAttrMultiGpuBoardGroupID, multiGpuBoardGroupID),
    CUDASIM_ATTRIBUTE(cudaDevAttrHostNativeAtomicSupported, hostNativeAtomicSupported),
    CUDASIM_ATTRIBUTE(cudaDevAttrSingleToDoublePrecisionPerfRatio,
                      singleToDoublePrecisionPerfRatio),
    CUDASIM_ATTRIBUTE(cudaDevAttrPageableMemoryAccess, pageableMemoryAccess),
    CUDASIM_ATTRIBUTE(cudaDevAttrConcurrentManagedAccess, concurrentManagedAccess),
    CUDASIM_ATTRIBUTE(cudaDevAttrComputePreemptionSupported, computePreemptionSupported),
    CUDASIM_ATTRIBUTE(cudaDevAttrCanUseHostPointerForRegisteredMem,
                      canUseHostPointerForRegisteredMem),
    CUDASIM_ATTRIBUTE(cudaDevAttrCooperativeLaunch, cooperativeLaunch),
    CUDASIM_ATTRIBUTE(cudaDevAttrClusterLaunch, clusterLaunch),
    CUDASIM_ATTRIBUTE(cudaDevAttrCooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    CUDASIM_ATTRIBUTE(cudaDevAttrHostRegisterSupported, hostRegisterSupported),
    CUDASIM_ATTRIBUTE(cudaDevAttrPageableMemoryAccessUsesHostPageTables,
                      pageableMemoryAccessUsesHostPageTables),
    CUDASIM_ATTRIBUTE(cudaDevAttrDirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    CUDASIM_ATTRIBUTE(cudaDevAttrMaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    CUDASIM_ATTRIBUTE(cudaDevAttrReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    CUDASIM_ATTRIBUTE(cudaDevAttrMemoryPoolsSupported, memoryPoolsSupported),
};
#undef CUDASIM_ATTRIBUTE

}  // namespace
}  // namespace cudasim

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  CUDASIM_MAY_FAIL();
  if (properties == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  if (device != 0) return cudasim::Return(cudaErrorInvalidDevice);
  *properties = cudasim::Properties();
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  CUDASIM_MAY_FAIL();
  if (value == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  if (device != 0) return cudasim::Return(cudaErrorInvalidDevice);
  for (const cudasim::Attribute& known : cudasim::kAttributes) {
    if (known.attribute != attribute) continue;
    *value = known.value(cudasim::Properties());
    return cudasim::Return(cudaSuccess);
  }
  return cudasim::Return(cudaErrorInvalidValue);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  if (device == nullptr || wanted == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  *device = 0;
  return cudasim::Return(cudaSuccess);
}

}  // extern "C"
