// cudaMalloc, cudaMemcpy and their relatives.
#include <cstdlib>
#include <cstring>

#include "common/cudasim/runtime/api_misuse.h"
#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/device.h"
#include "common/cudasim/runtime/errors.h"
#include "common/cudasim/runtime/fault.h"
#include "common/cudasim/runtime/heap.h"
#include "common/cudasim/runtime/symbols.h"

namespace cudasim {
namespace {

bool IsSymbol(const void* pointer, std::size_t bytes) {
  return IsDeviceVariable(pointer, bytes) || IsConstantVariable(pointer, bytes);
}

cudaError_t Allocate(void** pointer, std::size_t bytes, bool managed, const void* caller) {
  WatchForFaults();
  if (StickyError() != cudaSuccess || pointer == nullptr) return Return(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return Return(cudaSuccess);
  const Allocation* const allocation = DeviceHeap::Get().Allocate(bytes, managed, caller);
  if (allocation == nullptr) return Return(cudaErrorMemoryAllocation);
  *pointer = allocation->begin;
  return Return(cudaSuccess);
}

cudaError_t AllocateHost(void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return Return(cudaErrorInvalidValue);
  *pointer = bytes == 0 ? nullptr : std::malloc(bytes);
  return Return(bytes != 0 && *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t Free(void* pointer, const void* caller) {
  if (StickyError() != cudaSuccess || pointer == nullptr) return Return(cudaSuccess);
  if (DeviceHeap::Get().Free(pointer, caller)) return Return(cudaSuccess);
  ReportBadFree("cudaFree", pointer, caller);
  return Return(cudaErrorInvalidValue);
}

// May the device side of a copy be this?
bool DeviceSideOk(const ApiRange& range) {
  if (DeviceHeap::Get().Holds(range.pointer, range.bytes)) return true;
  if (IsSymbol(range.pointer, range.bytes)) return true;
  ReportBadDeviceRange(range);
  return false;
}

// May the host side be this?  Managed memory serves as both.
bool HostSideOk(const ApiRange& range) {
  if (range.pointer == nullptr) return false;
  if (!DeviceHeap::Contains(range.pointer)) return true;
  const Allocation* const near = DeviceHeap::Get().FindNear(range.pointer);
  if (near != nullptr && near->managed && DeviceHeap::Get().Holds(range.pointer, range.bytes)) {
    return true;
  }
  ReportDevicePointerAsHost(range);
  return false;
}

bool SideOk(const ApiRange& range, bool must_be_device, bool may_be_either) {
  if (may_be_either) must_be_device = DeviceHeap::Contains(range.pointer);
  return must_be_device ? DeviceSideOk(range) : HostSideOk(range);
}

cudaError_t Copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 const void* caller) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return Return(cudaErrorInvalidMemcpyDirection);
  }
  if (StickyError() != cudaSuccess || bytes == 0) return Return(cudaSuccess);
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool either = kind == cudaMemcpyDefault;
  if (!SideOk({"cudaMemcpy", "destination", to, bytes, caller}, to_device, either) ||
      !SideOk({"cudaMemcpy", "source", from, bytes, caller}, from_device, either)) {
    return Return(cudaErrorInvalidValue);
  }
  std::memmove(to, from, bytes);
  OnHostWrite(to, bytes);
  return Return(cudaSuccess);
}

}  // namespace
}  // namespace cudasim

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return cudasim::Allocate(pointer, bytes, false, CUDASIM_CALLER);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  return cudasim::Allocate(pointer, bytes, true, CUDASIM_CALLER);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  return cudasim::Allocate(pointer, bytes, false, CUDASIM_CALLER);
}

cudaError_t cudaFree(void* pointer) { return cudasim::Free(pointer, CUDASIM_CALLER); }

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  return cudasim::Free(pointer, CUDASIM_CALLER);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return cudasim::AllocateHost(pointer, bytes);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  return cudasim::AllocateHost(pointer, bytes);
}

cudaError_t cudaFreeHost(void* pointer) {
  if (cudasim::DeviceHeap::Contains(pointer)) return cudasim::Return(cudaErrorInvalidValue);
  std::free(pointer);
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = cudasim::DeviceMemoryBytes();
  *free = *total - cudasim::DeviceHeap::Get().used_bytes();
  return cudasim::Return(cudaSuccess);
}

void cudasimNameAllocation(const void* pointer, const char* name) {
  cudasim::DeviceHeap::Get().Name(pointer, name);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudasim::Copy(to, from, bytes, kind, CUDASIM_CALLER);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  using cudasim::Return;
  if (cudasim::StickyError() != cudaSuccess || bytes == 0) return Return(cudaSuccess);
  if (!cudasim::DeviceSideOk({"cudaMemset", "destination", pointer, bytes, CUDASIM_CALLER})) {
    return Return(cudaErrorInvalidValue);
  }
  std::memset(pointer, value, bytes);
  cudasim::OnHostWrite(pointer, bytes);
  return Return(cudaSuccess);
}

cudaError_t cudasimCopyToSymbol(const void* symbol, size_t symbol_bytes, const void* from,
                                size_t bytes, size_t offset) {
  if (!cudasim::IsSymbol(symbol, symbol_bytes)) return cudasim::Return(cudaErrorInvalidSymbol);
  if (offset > symbol_bytes || bytes > symbol_bytes - offset) {
    return cudasim::Return(cudaErrorInvalidValue);
  }
  std::memmove(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, bytes);
  return cudasim::Return(cudaSuccess);
}

cudaError_t cudasimCopyFromSymbol(void* to, const void* symbol, size_t symbol_bytes, size_t bytes,
                                  size_t offset) {
  if (!cudasim::IsSymbol(symbol, symbol_bytes)) return cudasim::Return(cudaErrorInvalidSymbol);
  if (offset > symbol_bytes || bytes > symbol_bytes - offset) {
    return cudasim::Return(cudaErrorInvalidValue);
  }
  std::memmove(to, static_cast<const char*>(symbol) + offset, bytes);
  return cudasim::Return(cudaSuccess);
}

}  // extern "C"
