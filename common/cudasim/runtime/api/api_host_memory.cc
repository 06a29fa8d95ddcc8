// Host memory that kernels reach, pointer attributes, and hints about managed memory.
#include <optional>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {
namespace {

const Allocation* FindLive(const void* pointer) {
  if (!DeviceHeap::Contains(pointer)) return nullptr;
  const Allocation* const near = DeviceHeap::Get().FindNear(pointer);
  return near != nullptr && !near->freed && near->Contains(pointer) ? near : nullptr;
}

bool IsManaged(const void* pointer, std::size_t bytes) {
  if (IsManagedVariable(pointer, bytes)) return true;
  const Allocation* const owner = FindLive(pointer);
  return owner != nullptr && owner->managed && DeviceHeap::Get().Holds(pointer, bytes);
}

cudaMemoryType TypeOf(const void* pointer) {
  if (IsManagedVariable(pointer, 1)) return cudaMemoryTypeManaged;
  if (IsDeviceVariable(pointer, 1) || IsConstantVariable(pointer, 1)) return cudaMemoryTypeDevice;
  if (IsRegisteredMemory(pointer, 1)) return cudaMemoryTypeHost;
  const Allocation* const owner = FindLive(pointer);
  if (owner == nullptr) return cudaMemoryTypeUnregistered;
  if (owner->managed) return cudaMemoryTypeManaged;
  return owner->pinned ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
}

bool IsDeviceOrHost(int device) { return device == 0 || device == cudaCpuDeviceId; }

// The number that a location of CUDA 13 has in older versions.
std::optional<int> DeviceOf(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  const bool is_host = location.type >= cudaMemLocationTypeHost &&
                       location.type <= cudaMemLocationTypeHostNumaCurrent;
  return is_host ? std::optional<int>(cudaCpuDeviceId) : std::nullopt;
}

// Moves pages and touches no contents, so it conflicts with nothing.
cudaError_t Prefetch(const void* pointer, std::size_t bytes, int device, cudaStream_t stream,
                     const void* caller) {
  CUDASIM_MAY_FAIL_AS("cudaMemPrefetchAsync");
  if (!IsDeviceOrHost(device)) return Return(cudaErrorInvalidDevice);
  if (bytes == 0 || !IsManaged(pointer, bytes)) return Return(cudaErrorInvalidValue);
  return RunInStream(stream,
                     {{"cudaMemPrefetchAsync", {}, caller},
                      {},
                      [=] { OnPrefetch(pointer, bytes, device != cudaCpuDeviceId); }},
                     std::nullopt);
}

}  // namespace
}  // namespace cudasim

using cudasim::Return;

extern "C" {

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  CUDASIM_MAY_FAIL(cudaErrorMemoryAllocation);
  constexpr unsigned kKnown = cudaHostRegisterPortable | cudaHostRegisterMapped |
                              cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  if (pointer == nullptr || bytes == 0 || (flags & ~kKnown) != 0) {
    return Return(cudaErrorInvalidValue);
  }
  if (const cudaError_t error = cudasim::RefuseUnsafeCall()) return Return(error);
  const bool is_hosts = cudasim::TypeOf(pointer) == cudaMemoryTypeUnregistered;
  if (!is_hosts || !cudasim::RegisterMemory(pointer, bytes)) {
    return Return(cudaErrorHostMemoryAlreadyRegistered);
  }
  cudasim::OnMade(cudasim::HandleKind::kRegisteredMemory, pointer, __builtin_return_address(0));
  return Return(cudaSuccess);
}

cudaError_t cudaHostUnregister(void* pointer) {
  if (pointer == nullptr) return Return(cudaErrorInvalidValue);
  if (const cudaError_t error = cudasim::RefuseUnsafeCall()) return Return(error);
  cudasim::SynchroniseDevice();
  if (!cudasim::UnregisterMemory(pointer)) return Return(cudaErrorHostMemoryNotRegistered);
  cudasim::OnEnded(cudasim::HandleKind::kRegisteredMemory, pointer);
  return Return(cudaSuccess);
}

// Host and device use the same address.
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  CUDASIM_MAY_FAIL();
  if (device == nullptr || flags != 0) return Return(cudaErrorInvalidValue);
  if (cudasim::TypeOf(host) != cudaMemoryTypeHost) return Return(cudaErrorInvalidValue);
  *device = host;
  return Return(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  CUDASIM_MAY_FAIL();
  if (flags == nullptr || cudasim::TypeOf(pointer) != cudaMemoryTypeHost) {
    return Return(cudaErrorInvalidValue);
  }
  *flags = cudaHostAllocMapped;
  return Return(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  CUDASIM_MAY_FAIL();
  if (attributes == nullptr) return Return(cudaErrorInvalidValue);
  const cudaMemoryType type = cudasim::TypeOf(pointer);
  void* const address = const_cast<void*>(pointer);
  const bool device = type != cudaMemoryTypeUnregistered;
  const bool host = type != cudaMemoryTypeDevice;
  *attributes = {type, device ? 0 : cudaInvalidDeviceId, device ? address : nullptr,
                 host ? address : nullptr};
  return Return(cudaSuccess);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  return cudasim::Prefetch(pointer, bytes, device, stream, __builtin_return_address(0));
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  CUDASIM_MAY_FAIL();
  const bool known = advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
  const bool any_device =
      advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly;
  if (!any_device && !cudasim::IsDeviceOrHost(device)) return Return(cudaErrorInvalidDevice);
  const bool ok = known && bytes != 0 && cudasim::IsManaged(pointer, bytes);
  return Return(ok ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                     unsigned flags) {
  CUDASIM_MAY_FAIL();
  if (cudasim::FindStream(stream) == nullptr) return Return(cudaErrorInvalidResourceHandle);
  const bool known =
      flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  const bool ok = known && cudasim::IsManaged(pointer, bytes != 0 ? bytes : 1);
  return Return(ok ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream) {
  const std::optional<int> device = cudasim::DeviceOf(location);
  if (!device || flags != 0) return Return(cudaErrorInvalidValue);
  return cudasim::Prefetch(pointer, bytes, *device, stream, __builtin_return_address(0));
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  const std::optional<int> device = cudasim::DeviceOf(location);
  if (!device) return Return(cudaErrorInvalidValue);
  return cudaMemAdvise(pointer, bytes, advice, *device);
}

}  // extern "C"
