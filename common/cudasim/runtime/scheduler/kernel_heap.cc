#include "common/cudasim/runtime/scheduler/kernel_heap.h"

// Plain mode allocates from the host's heap, the instrumented libraries from the device's, where
// the bounds are known.  For host code these functions are the C library's.
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/host_blocks.h"
#include "common/cudasim/runtime/memory/misuse.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"

namespace cudasim {
namespace {

std::atomic<std::size_t> in_use{0};  // by kernels, bytes

bool Reserve(std::size_t bytes) {
  if (in_use.fetch_add(bytes) + bytes <= KernelHeapLimit()) return true;
  in_use.fetch_sub(bytes);
  return false;
}

// Null when the heap of kernels (cudaLimitMallocHeapSize) is used up.
void* AllocateInKernel(std::size_t bytes, const void* caller) {
  const LeaveKernel leave;
  if (bytes == 0) return nullptr;
  if (!Reserve(bytes)) return nullptr;
  if (!kInstrumented) {
    void* const memory = std::malloc(bytes);
    if (memory != nullptr) in_use.fetch_add(malloc_usable_size(memory) - bytes);
    return memory;
  }
  const Allocation* const allocation = DeviceHeap::Get().AllocateInKernel(bytes, caller);
  if (allocation == nullptr) in_use.fetch_sub(bytes);
  return allocation == nullptr ? nullptr : allocation->begin;
}

void FreeInKernel(const char* function, void* pointer, const void* caller) {
  const LeaveKernel leave;
  if (!kInstrumented) {
    in_use.fetch_sub(malloc_usable_size(pointer));
    std::free(pointer);
    return;
  }
  const Allocation* const near =
      DeviceHeap::Contains(pointer) ? DeviceHeap::Get().FindNear(pointer) : nullptr;
  const std::size_t bytes = near == nullptr ? 0 : near->bytes;
  if (DeviceHeap::Get().Free(pointer, caller, true)) {
    in_use.fetch_sub(bytes);
  } else {
    ReportBadFree(function, pointer, caller);
  }
}

bool InKernel() { return current_fiber != nullptr && in_kernel; }

void Free(const char* function, void* pointer, const void* caller) {
  if (pointer == nullptr) return;
  if (InKernel()) return FreeInKernel(function, pointer, caller);
  if (DeviceHeap::Contains(pointer)) {
    ReportBadFree(function, pointer, caller);
    return;
  }
  ForgetHostBlock(pointer);
  std::free(pointer);
}

}  // namespace

// The default of an H100.
std::atomic<std::size_t>& KernelHeapLimit() {
  static std::atomic<std::size_t> limit{std::size_t{8} << 20};
  return limit;
}

}  // namespace cudasim

extern "C" {

void* cudasim_malloc(std::size_t bytes) {
  if (cudasim::InKernel()) return cudasim::AllocateInKernel(bytes, __builtin_return_address(0));
  void* const memory = std::malloc(bytes);
  cudasim::NoteHostBlock(memory, bytes, __builtin_return_address(0));
  return memory;
}

void* cudasim_calloc(std::size_t count, std::size_t bytes) {
  void* const memory = std::calloc(count, bytes);
  cudasim::NoteHostBlock(memory, count * bytes, __builtin_return_address(0));
  return memory;
}

void* cudasim_realloc(void* pointer, std::size_t bytes) {
  cudasim::ForgetHostBlock(pointer);
  void* const memory = std::realloc(pointer, bytes);
  cudasim::NoteHostBlock(memory, bytes, __builtin_return_address(0));
  return memory;
}

void cudasim_free(void* pointer) { cudasim::Free("free", pointer, __builtin_return_address(0)); }

// On the device `new` returns null when there is no memory: nothing can be thrown there.
void* cudasim_new(std::size_t bytes, const void* caller) {
  if (bytes == 0) bytes = 1;
  if (cudasim::InKernel()) return cudasim::AllocateInKernel(bytes, caller);
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  // What the simulator allocates for a kernel's thread is not the program's.
  if (cudasim::current_fiber == nullptr) cudasim::NoteHostBlock(memory, bytes, caller);
  return memory;
}

void cudasim_delete(void* pointer, const void* caller) { cudasim::Free("delete", pointer, caller); }

}  // extern "C"
