// Kernels called by their address: identifies the kernel, and passes it its arguments.
#include <utility>

#include "common/cudasim/runtime/launch/launch.h"

namespace cudasim {

__thread bool called_by_address;

namespace {

struct AddressCall {
  const void* function;
  void** arguments;  // null: only identify the kernel
  const KernelSource* answer;
};

thread_local AddressCall address_call{};

// The kernel answers before it touches its parameters, so none need be passed.
void CallByAddress(const void* function) {
  called_by_address = true;
  reinterpret_cast<void (*)()>(const_cast<void*>(function))();
  called_by_address = false;
}

}  // namespace

void** TakeCallByAddress(const KernelSource& source, const void** kernel) {
  called_by_address = false;
  address_call.answer = &source;
  if (address_call.arguments == nullptr) return nullptr;
  *kernel = address_call.function;
  return std::exchange(address_call.arguments, nullptr);
}

const KernelSource* FindKernel(const void* function) {
  if (function == nullptr) return nullptr;
  address_call = {function, nullptr, nullptr};
  CallByAddress(function);
  return address_call.answer;
}

void CallKernel(const void* function, void** arguments) {
  void* none[] = {nullptr};
  address_call = {function, arguments != nullptr ? arguments : none, nullptr};
  CallByAddress(function);
}

}  // namespace cudasim
