#include "common/cudasim/runtime/memory/symbols.h"

#include <cstdint>
#include <map>
#include <mutex>

extern "C" {
extern char __start_cudasim_device[] __attribute__((weak, visibility("hidden")));
extern char __stop_cudasim_device[] __attribute__((weak, visibility("hidden")));
extern char __start_cudasim_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_cudasim_managed[] __attribute__((weak, visibility("hidden")));
extern char __start_cudasim_constant[] __attribute__((weak, visibility("hidden")));
extern char __stop_cudasim_constant[] __attribute__((weak, visibility("hidden")));
}

namespace cudasim {
namespace {

bool Within(const void* pointer, std::size_t bytes, const char* begin, const char* end) {
  const auto* const p = static_cast<const char*>(pointer);
  return p >= begin && p < end && bytes <= static_cast<std::size_t>(end - p);
}

VariableRange Between(const char* start, const char* stop) {
  const auto begin = reinterpret_cast<std::uintptr_t>(start) & ~std::uintptr_t{15};
  return {reinterpret_cast<const char*>(begin), reinterpret_cast<std::uintptr_t>(stop) - begin};
}

struct ToldAddresses {
  std::mutex mutex;
  std::map<const char*, std::size_t> bytes;  // by their beginnings
};

ToldAddresses& Told() {
  static auto* const told = new ToldAddresses;
  return *told;
}

}  // namespace

VariableRange DeviceVariables() { return Between(__start_cudasim_device, __stop_cudasim_device); }

VariableRange ManagedVariables() {
  return Between(__start_cudasim_managed, __stop_cudasim_managed);
}

VariableRange ConstantVariables() {
  return Between(__start_cudasim_constant, __stop_cudasim_constant);
}

bool IsDeviceVariable(const void* pointer, std::size_t bytes) {
  return Within(pointer, bytes, __start_cudasim_device, __stop_cudasim_device);
}

bool IsManagedVariable(const void* pointer, std::size_t bytes) {
  return Within(pointer, bytes, __start_cudasim_managed, __stop_cudasim_managed);
}

bool IsConstantVariable(const void* pointer, std::size_t bytes) {
  return Within(pointer, bytes, __start_cudasim_constant, __stop_cudasim_constant);
}

void TellSymbolAddress(const void* begin, std::size_t bytes) {
  const std::lock_guard lock(Told().mutex);
  std::size_t& known = Told().bytes[static_cast<const char*>(begin)];
  if (known < bytes) known = bytes;
}

bool IsHostsNameOfSymbol(const void* pointer) {
  if (!IsDeviceVariable(pointer, 1) && !IsConstantVariable(pointer, 1)) return false;
  const auto* const at = static_cast<const char*>(pointer);
  const std::lock_guard lock(Told().mutex);
  auto after = Told().bytes.upper_bound(at);
  if (after == Told().bytes.begin()) return true;
  --after;
  return at >= after->first + after->second;
}

bool IsSymbol(const void* pointer, std::size_t bytes) {
  return IsDeviceVariable(pointer, bytes) || IsManagedVariable(pointer, bytes) ||
         IsConstantVariable(pointer, bytes);
}

}  // namespace cudasim
