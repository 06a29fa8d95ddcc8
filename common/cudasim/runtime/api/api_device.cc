// The API of devices, of which there is one.  Their settings are only stored and returned.
#include <atomic>
#include <cstring>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/dynamic/children.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/kernel_heap.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {
namespace {

constexpr int kLimits = cudaLimitPersistingL2CacheSize + 1;
constexpr char kBusId[] = "0000:01:00.0";

// The defaults of an H100, in bytes; the two of the device runtime are counts.
std::atomic<std::size_t> limits[kLimits] = {
    std::size_t{1} << 10, std::size_t{1} << 20, 0, 2, 0, 64, 0};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};
std::atomic<unsigned> device_flags{cudaDeviceMapHost};

std::atomic<std::size_t>& ValueOf(cudaLimit limit) {
  if (limit == cudaLimitDevRuntimePendingLaunchCount) return PendingLaunchLimit();
  return limit == cudaLimitMallocHeapSize ? KernelHeapLimit() : limits[limit];
}

bool IsLimit(cudaLimit limit) { return limit >= 0 && limit < kLimits; }

template <class T>
cudaError_t Tell(T* to, const T& value) {
  if (to == nullptr) return Return(cudaErrorInvalidValue);
  *to = value;
  return Return(cudaSuccess);
}

}  // namespace

}  // namespace cudasim

using cudasim::Return;
using cudasim::Tell;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  CUDASIM_MAY_FAIL();
  return Tell(count, 1);
}

cudaError_t cudaGetDevice(int* device) {
  CUDASIM_MAY_FAIL();
  return Tell(device, 0);
}

cudaError_t cudaSetDevice(int device) {
  CUDASIM_MAY_FAIL();
  return Return(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (count < 0 || (count > 0 && devices == nullptr)) return Return(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i) {
    if (devices[i] != 0) return Return(cudaErrorInvalidDevice);
  }
  return Return(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  if (text == nullptr || bytes < static_cast<int>(sizeof(cudasim::kBusId))) {
    return Return(cudaErrorInvalidValue);
  }
  if (device != 0) return Return(cudaErrorInvalidDevice);
  std::strcpy(text, cudasim::kBusId);
  return Return(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (text == nullptr) return Return(cudaErrorInvalidValue);
  if (std::strcmp(text, cudasim::kBusId) != 0) return Return(cudaErrorInvalidDevice);
  return Tell(device, 0);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  CUDASIM_MAY_FAIL();
  if (!cudasim::IsLimit(limit)) return Return(cudaErrorUnsupportedLimit);
  cudasim::ValueOf(limit) = value;
  return Return(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  CUDASIM_MAY_FAIL();
  if (!cudasim::IsLimit(limit)) return Return(cudaErrorUnsupportedLimit);
  return Tell(value, cudasim::ValueOf(limit).load());
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  CUDASIM_MAY_FAIL();
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
    return Return(cudaErrorInvalidValue);
  }
  cudasim::cache_config = config;
  return Return(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return Tell(config, cudasim::cache_config.load());
}

// Since Maxwell banks are four bytes wide whatever is set.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  const bool known =
      config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return Return(known ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return Tell(config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return Tell(flags, cudasim::device_flags.load());
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if ((flags & ~unsigned{cudaDeviceMask}) != 0) return Return(cudaErrorInvalidValue);
  cudasim::device_flags = flags | cudaDeviceMapHost;
  return Return(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int* version) { return Tell(version, CUDART_VERSION); }

cudaError_t cudaRuntimeGetVersion(int* version) { return Tell(version, CUDART_VERSION); }

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return Return(cudaErrorInvalidDevice);
  return Tell(can, 0);
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return Return(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return Return(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceDisablePeerAccess(int) { return Return(cudaErrorInvalidDevice); }

cudaError_t cudaCtxResetPersistingL2Cache() { return Return(cudaSuccess); }

cudaError_t cudaProfilerStart() { return Return(cudaSuccess); }

cudaError_t cudaProfilerStop() { return Return(cudaSuccess); }

int cudasimChecks() { return cudasim::kCheckMode ? 1 : 0; }

cudaError_t cudaDeviceSynchronize() {
  CUDASIM_MAY_FAIL();
  if (const cudaError_t error = cudasim::RefuseDeviceWait()) return Return(error);
  if (cudasim::StickyError() == cudaSuccess) cudasim::SynchroniseDevice();
  return Return(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
  if (cudasim::StickyError() == cudaSuccess) cudasim::SynchroniseDevice();
  cudasim::DeviceHeap::Get().FreeAll(__builtin_return_address(0));
  cudasim::OnAllEnded();
  return cudasim::Return(cudaSuccess);
}

}  // extern "C"
