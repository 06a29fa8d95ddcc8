#include "common/cudasim/check/global_shadow.h"

#include <vector>

#include "common/cudasim/check/now.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"

namespace cudasim {
namespace {

struct VariableShadow {
  VariableRange range;
  Shadow shadow;
};

// Of all kinds of variables of which there are any.
std::vector<VariableShadow>& VariableShadows() {
  static auto* const shadows = [] {
    auto* const made = new std::vector<VariableShadow>;
    for (const VariableRange& range :
         {DeviceVariables(), ManagedVariables(), ConstantVariables()}) {
      if (range.bytes == 0) continue;
      made->push_back({range, {}});
      made->back().shadow.Reserve(range.bytes + kWordBytes);
    }
    return made;
  }();
  return *shadows;
}

}  // namespace

Shadow& GlobalShadow() {
  static Shadow shadow = [] {
    Shadow made;
    made.Reserve(DeviceHeap::kRangeBytes);
    return made;
  }();
  return shadow;
}

ShadowPlace FindVariableShadow(const char* begin, std::size_t bytes) {
  for (VariableShadow& part : VariableShadows()) {
    const auto offset = static_cast<std::size_t>(begin - part.range.begin);
    if (begin >= part.range.begin && offset < part.range.bytes &&
        bytes <= part.range.bytes - offset) {
      return {&part.shadow, offset};
    }
  }
  return {};
}

void PrepareGlobalShadow() {
  running.device_memory = reinterpret_cast<std::uintptr_t>(DeviceHeap::Get().Begin());
  running.heap_begin = running.device_memory;
  running.heap = GlobalShadow().latest;
  running.heap_shadow = &GlobalShadow();
}

void ForgetGlobalAccesses() {
  GlobalShadow().ForgetAccesses();
  for (VariableShadow& part : VariableShadows()) part.shadow.ForgetAccesses();
}

void DropGlobalShadow(const void* begin, std::size_t bytes) {
  GlobalShadow().Drop(DeviceHeap::Offset(begin) / kWordBytes,
                      (bytes + kWordBytes - 1) / kWordBytes);
}

}  // namespace cudasim
