#include "common/cudasim/runtime/scheduler/kernel_arguments.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "common/cudasim/runtime/scheduler/grid.h"

namespace cudasim {
namespace {

thread_local std::vector<NamedPointer> pending_arguments;

}  // namespace

void NameArgument(const char*& names, const void* pointer) {
  const std::size_t length = std::strcspn(names, ",");
  const char* const name = names;
  names += names[length] == '\0' ? length : length + 1;
  if (length == 0 || pointer == nullptr) return;
  // In a kernel's thread memory would come from the kernel's heap.
  const bool in_launching_kernel = std::exchange(in_kernel, false);
  pending_arguments.push_back({std::string(name, length), static_cast<const char*>(pointer)});
  in_kernel = in_launching_kernel;
}

std::vector<NamedPointer> TakeArguments() { return std::exchange(pending_arguments, {}); }

std::string KernelParameter(const char* begin, const char* end, const char* address) {
  const Grid* const grid = RunningGrid();
  if (grid == nullptr) return "";
  const NamedPointer* nearest = nullptr;
  for (const NamedPointer& argument : grid->arguments) {
    if (argument.pointer < begin || argument.pointer >= end || argument.pointer > address) continue;
    if (nearest == nullptr || argument.pointer > nearest->pointer) nearest = &argument;
  }
  return nearest == nullptr ? "" : nearest->name;
}

}  // namespace cudasim
