// Kernels called by their address: who is it, and with which arguments?
#include <utility>

#include "common/cudasim/runtime/launch.h"

namespace cudasim {

__thread bool called_by_address;

namespace {

struct Call {
  const void* function;
  void** arguments;  // null: only asked who it is
  const KernelSource* answer;
};

thread_local Call call{};

// The kernel answers before it touches its parameters, so that it needs none.
void CallByAddress(const void* function) {
  called_by_address = true;
  reinterpret_cast<void (*)()>(const_cast<void*>(function))();
  called_by_address = false;
}

}  // namespace

void** TakeCallByAddress(const KernelSource& source, const void** kernel) {
  called_by_address = false;
  call.answer = &source;
  if (call.arguments == nullptr) return nullptr;
  *kernel = call.function;
  return std::exchange(call.arguments, nullptr);
}

const KernelSource* FindKernel(const void* function) {
  if (function == nullptr) return nullptr;
  call = {function, nullptr, nullptr};
  CallByAddress(function);
  return call.answer;
}

void CallKernel(const void* function, void** arguments) {
  void* none[] = {nullptr};
  call = {function, arguments != nullptr ? arguments : none, nullptr};
  CallByAddress(function);
}

}  // namespace cudasim
