// Memory pools: they store attributes; all memory comes from the device's heap.
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/memory/heap.h"

struct CUmemPoolHandle_st {
  std::uint64_t release_threshold = 0;
  int reuse[4] = {0, 1, 1, 1};  // by attribute
};

namespace cudasim {
namespace {

struct Pools {
  std::mutex mutex;
  CUmemPoolHandle_st standard;
  CUmemPoolHandle_st* current = &standard;
  std::set<CUmemPoolHandle_st*> live{&standard};
};

Pools& All() {
  static auto* const pools = new Pools;
  return *pools;
}

bool IsReuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

bool IsCounter(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolAttrReservedMemCurrent && attribute <= cudaMemPoolAttrUsedMemHigh;
}

cudaError_t TellPool(cudaMemPool_t* pool, int device, CUmemPoolHandle_st* which) {
  if (pool == nullptr) return Return(cudaErrorInvalidValue);
  if (device != 0) return Return(cudaErrorInvalidDevice);
  *pool = which;
  return Return(cudaSuccess);
}

}  // namespace
}  // namespace cudasim

using cudasim::All;
using cudasim::Return;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return cudasim::TellPool(pool, device, &All().standard);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  const std::lock_guard lock(All().mutex);
  return cudasim::TellPool(pool, device, All().current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return Return(cudaErrorInvalidDevice);
  const std::lock_guard lock(All().mutex);
  if (All().live.count(pool) == 0) return Return(cudaErrorInvalidValue);
  All().current = pool;
  return Return(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  CUDASIM_MAY_FAIL(cudaErrorMemoryAllocation);
  if (pool == nullptr || properties == nullptr) return Return(cudaErrorInvalidValue);
  const bool known = properties->allocType == cudaMemAllocationTypePinned &&
                     properties->location.type == cudaMemLocationTypeDevice;
  if (!known) return Return(cudaErrorInvalidValue);
  if (properties->location.id != 0) return Return(cudaErrorInvalidDevice);
  const std::lock_guard lock(All().mutex);
  *pool = new CUmemPoolHandle_st;
  All().live.insert(*pool);
  cudasim::OnMade(cudasim::HandleKind::kMemoryPool, *pool, __builtin_return_address(0));
  return Return(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const std::lock_guard lock(All().mutex);
  if (pool == &All().standard || All().live.erase(pool) == 0) {
    return Return(cudaErrorInvalidValue);
  }
  if (All().current == pool) All().current = &All().standard;
  cudasim::OnEnded(cudasim::HandleKind::kMemoryPool, pool);
  delete pool;
  return Return(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const std::lock_guard lock(All().mutex);
  if (value == nullptr || All().live.count(pool) == 0) return Return(cudaErrorInvalidValue);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    std::memcpy(&pool->release_threshold, value, sizeof(pool->release_threshold));
  } else if (cudasim::IsReuse(attribute)) {
    std::memcpy(&pool->reuse[attribute], value, sizeof(int));
  } else if (!cudasim::IsCounter(attribute)) {
    return Return(cudaErrorInvalidValue);
  }
  return Return(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const std::lock_guard lock(All().mutex);
  if (value == nullptr || All().live.count(pool) == 0) return Return(cudaErrorInvalidValue);
  const std::uint64_t used = cudasim::DeviceHeap::Get().used_bytes();
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    std::memcpy(value, &pool->release_threshold, sizeof(pool->release_threshold));
  } else if (cudasim::IsReuse(attribute)) {
    std::memcpy(value, &pool->reuse[attribute], sizeof(int));
  } else if (cudasim::IsCounter(attribute)) {
    std::memcpy(value, &used, sizeof(used));
  } else {
    return Return(cudaErrorInvalidValue);
  }
  return Return(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  const std::lock_guard lock(All().mutex);
  return Return(All().live.count(pool) != 0 ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"
