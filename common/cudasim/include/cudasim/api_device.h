// The runtime API's part about devices.  There is one, number 0, modelled on an H100; all of this
// may be called from any host thread.
#pragma once

#include "cudasim/device_properties.h"
#include "cudasim/driver_types.h"

extern "C" {

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);

// Limits are stored and returned; only the heap size of malloc() in kernels and the
// number of pending launches by kernels have an effect.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaSetDeviceFlags(unsigned flags);

// Versions are 1000 * major + 10 * minor.
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// No device has a peer: *can is 0, and the other functions return cudaErrorInvalidDevice.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);

// Caches are not modelled.
cudaError_t cudaCtxResetPersistingL2Cache();

cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// 1 in check mode, where a wrong access or launch ends the process; 0 in plain mode.
int cudasimChecks();

}  // extern "C"
