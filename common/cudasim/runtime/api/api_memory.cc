// cudaMalloc and its relatives.
#include <cstdio>
#include <cstdlib>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/misuse.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/fault.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

cudaError_t Allocate(const char* call, void** pointer, std::size_t bytes, MemoryKind kind,
                     const void* caller) {
  CUDASIM_MAY_FAIL_AS(call, cudaErrorMemoryAllocation);
  WatchForFaults();
  if (StickyError() != cudaSuccess || pointer == nullptr) return Return(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return Return(cudaSuccess);
  const Allocation* const allocation = DeviceHeap::Get().Allocate(bytes, kind, caller);
  if (allocation == nullptr) return Return(cudaErrorMemoryAllocation);
  *pointer = allocation->begin;
  ForgetRanges(allocation->begin, bytes);
  // The host's writes to pinned memory are not tracked, so it counts as initialised.
  if (kind == MemoryKind::kPinned) OnHostWrite(allocation->begin, bytes);
  return Return(cudaSuccess);
}

// The allocation is not ordered by a stream.
cudaError_t AllocateNow(const char* call, void** pointer, std::size_t bytes, MemoryKind kind,
                        const void* caller) {
  const cudaError_t error = RefuseUnsafeCall();
  return error != cudaSuccess ? Return(error) : Allocate(call, pointer, bytes, kind, caller);
}

// As on a GPU, waits for all work that may use the memory.
cudaError_t Free(void* pointer, bool pinned, const char* call, const void* caller) {
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (const cudaError_t error = RefuseUnsafeCall()) return Return(error);
  SynchroniseDevice();
  if (pointer == nullptr) return Return(cudaSuccess);
  if (DeviceHeap::Get().IsPinned(pointer) == pinned && DeviceHeap::Get().Free(pointer, caller)) {
    return Return(cudaSuccess);
  }
  ReportBadFree(call, pointer, caller);
  return Return(cudaErrorInvalidValue);
}

// Graphs that allocate memory are left out.
cudaError_t RefuseMemoryNode(const char* call, cudaStream_t handle) {
  CUstream_st* const stream = FindStream(handle);
  if (!IsCapturing(stream)) return cudaSuccess;
  std::fprintf(stderr,
               "error: memory nodes of graphs are not simulated: %s in a capturing stream\n"
               "  next: allocate before cudaStreamBeginCapture\n",
               call);
  RefuseUncapturable(stream);
  return Return(cudaErrorNotSupported);
}

void FreeInStream(void* pointer, const void* caller) {
  if (DeviceHeap::Get().Free(pointer, caller)) return;
  ReportBadFree("cudaFreeAsync", pointer, caller);
}

}  // namespace
}  // namespace cudasim

using cudasim::MemoryKind;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudasimMalloc(void** pointer, size_t bytes, const void* caller) {
  return cudasim::AllocateNow("cudaMalloc", pointer, bytes, MemoryKind::kDevice, caller);
}

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return cudasim::AllocateNow(__func__, pointer, bytes, MemoryKind::kDevice, CUDASIM_CALLER);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
  return cudasim::AllocateNow(__func__, pointer, bytes, MemoryKind::kManaged, CUDASIM_CALLER);
}

// Allocates at the call, as the caller needs the address; the stream only orders the memory's use.
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  const void* const caller = CUDASIM_CALLER;
  if (const cudaError_t error = cudasim::RefuseMemoryNode(__func__, stream)) return error;
  cudaError_t error = cudasim::Allocate(__func__, pointer, bytes, MemoryKind::kDevice, caller);
  if (error != cudaSuccess || *pointer == nullptr) return error;
  error = cudasim::RunInStream(
      stream,
      {{"cudaMallocAsync", {}, caller},
       {{static_cast<const char*>(*pointer), bytes, cudasim::MemoryUse::kAllocates}},
       nullptr},
      std::nullopt);
  if (error != cudaSuccess) {
    cudasim::DeviceHeap::Get().Free(*pointer, caller);
    *pointer = nullptr;
  }
  return error;
}

cudaError_t cudaFree(void* pointer) {
  return cudasim::Free(pointer, false, "cudaFree", CUDASIM_CALLER);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  using cudasim::Return;
  if (cudasim::StickyError() != cudaSuccess || pointer == nullptr) return Return(cudaSuccess);
  if (const cudaError_t error = cudasim::RefuseMemoryNode(__func__, stream)) return error;
  const void* const caller = CUDASIM_CALLER;
  if (!cudasim::DeviceHeap::Get().Holds(pointer, 1)) {
    cudasim::ReportBadFree("cudaFreeAsync", pointer, caller);
    return Return(cudaErrorInvalidValue);
  }
  const cudasim::Allocation& memory = *cudasim::DeviceHeap::Get().FindNear(pointer);
  return cudasim::RunInStream(stream,
                              {{"cudaFreeAsync", {}, caller},
                               {{memory.begin, memory.bytes, cudasim::MemoryUse::kFrees}},
                               [=] { cudasim::FreeInStream(pointer, caller); }},
                              std::nullopt);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return cudasim::AllocateNow(__func__, pointer, bytes, MemoryKind::kPinned, CUDASIM_CALLER);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if ((flags & ~kKnown) != 0) return cudasim::Return(cudaErrorInvalidValue);
  return cudasim::AllocateNow(__func__, pointer, bytes, MemoryKind::kPinned, CUDASIM_CALLER);
}

cudaError_t cudaFreeHost(void* pointer) {
  return cudasim::Free(pointer, true, "cudaFreeHost", CUDASIM_CALLER);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  CUDASIM_MAY_FAIL();
  if (free == nullptr || total == nullptr) return cudasim::Return(cudaErrorInvalidValue);
  *total = cudasim::DeviceMemoryBytes();
  *free = *total - cudasim::DeviceHeap::Get().used_bytes();
  return cudasim::Return(cudaSuccess);
}

void cudasimNameArgument(const void* pointer, int is_output) {
  using cudasim::ArgumentRole;
  using cudasim::DeviceHeap;
  if (!DeviceHeap::Get().Holds(pointer, 1)) return;
  const cudasim::Allocation& memory = *DeviceHeap::Get().FindNear(pointer);
  if (memory.role != ArgumentRole::kNone) return;
  const std::string kind = memory.pinned ? "Pinned" : memory.managed ? "Managed" : "Device";
  DeviceHeap::Get().Name(
      pointer, kind + (is_output != 0 ? "Span<T>" : "Span<const T>") + " passed to the function",
      is_output != 0 ? ArgumentRole::kOutput : ArgumentRole::kInput);
  cudasim::OnNameArgument(memory);
}

void cudasimHandBackArgument(const void* pointer) {
  if (!cudasim::DeviceHeap::Get().Holds(pointer, 1)) return;
  cudasim::OnHandBack(*cudasim::DeviceHeap::Get().FindNear(pointer));
}

}  // extern "C"
