#include "common/cudasim/runtime/memory/misuse.h"

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {
namespace {

std::string Call(const ApiRange& range) {
  return std::string(range.call) + " at " + Locate(range.caller).ToString();
}

// What allocates the memory that `function` frees.
std::string Allocator(const std::string& function) {
  if (function == "free" || function == "delete") return "malloc or new in a kernel";
  return function == "cudaFreeHost" ? "cudaMallocHost or cudaHostAlloc" : "cudaMalloc";
}

}  // namespace

void ReportBadFree(const char* function, const void* pointer, const void* caller) {
  if (!kCheckMode) return;
  const std::string call = function + (" at " + Locate(caller).ToString());
  const Allocation* const near =
      DeviceHeap::Contains(pointer) ? DeviceHeap::Get().FindNear(pointer) : nullptr;
  if (near == nullptr) {
    Report({"invalid_argument",
            call + " of a pointer that " + Allocator(function) + " did not return",
            {}});
  } else if (near->freed && near->begin == pointer) {
    Report({"use_after_free", call + " of memory that is freed already: " + Describe(*near), {}});
  } else if (near->begin == pointer) {
    Report({"invalid_argument", call + " of memory of another kind: " + Describe(*near), {}});
  } else {
    Report({"invalid_argument",
            call + " of a pointer into the middle of memory: " + DescribeOffset(*near, pointer, 1),
            {}});
  }
}

void ReportBadDeviceRange(const ApiRange& range) {
  if (!kCheckMode) return;
  if (!DeviceHeap::Contains(range.pointer)) {
    Report({"invalid_argument",
            Call(range) + ": the " + range.role + " must be device memory but is " +
                (range.pointer == nullptr ? "null" : "a host pointer"),
            {}});
    return;
  }
  const Allocation* const near = DeviceHeap::Get().FindNear(range.pointer);
  if (near == nullptr) return;
  const bool freed = near->freed && near->Contains(range.pointer);
  Report({freed ? Kind("use_after_free") : Kind("out_of_bounds"),
          Call(range) + ": the " + range.role + " of " + Bytes(range.bytes) + " reaches " +
              DescribeOffset(*near, range.pointer, range.bytes),
          {}});
}

void ReportDevicePointerAsHost(const ApiRange& range) {
  if (!kCheckMode) return;
  Report({"invalid_argument",
          Call(range) + ": the " + range.role + " must be host memory but is a device pointer",
          {"the kind of the copy may be the wrong way round"}});
}

void ReportNameOfSymbol(const ApiRange& range) {
  if (!kCheckMode) return;
  Report({"invalid_argument",
          Call(range) + ": the " + range.role + " is the name of " +
              FindVariable(range.pointer).name +
              ", which on the host is not the address of the variable on the device",
          {"use cudaMemcpyToSymbol() or cudaMemcpyFromSymbol(), or ask cudaGetSymbolAddress()"}});
}

void ReportShortHostMemory(const ApiRange& range, std::size_t memory_bytes, const void* made_at) {
  std::string memory = "host memory of " + Bytes(memory_bytes);
  if (made_at != nullptr) memory += ", allocated at " + Locate(made_at, {}).ToString();
  Report({"out_of_bounds",
          Call(range) + ": the " + range.role + " of " + Bytes(range.bytes) + " is " + memory,
          {"the third argument is a number of bytes, and both sides must have as many"}});
}

}  // namespace cudasim

extern "C" cudaError_t cudasim_small_storage(const char* call, std::size_t bytes,
                                             std::size_t needed) {
  if (!cudasim::kCheckMode) return cudaErrorInvalidValue;
  cudasim::Report(
      {"invalid_argument",
       std::string(call) + " at " + cudasim::Locate(__builtin_return_address(0)).ToString() +
           ": temporary storage of " + cudasim::Bytes(bytes) + ", needed are " +
           std::to_string(needed),
       {"ask for the size with the same arguments and a null pointer, then allocate that much"}});
  return cudaErrorInvalidValue;
}
