#include "common/cudasim/runtime/memory/symbols.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

namespace cudasim {
namespace {

struct Section {
  const char* begin = nullptr;
  const char* end = nullptr;
};
constinit Section sections[3];

const Section& Of(VariableKind kind) { return sections[static_cast<int>(kind)]; }

bool Within(VariableKind kind, const void* pointer, std::size_t bytes) {
  const Section& in = Of(kind);
  const auto* const p = static_cast<const char*>(pointer);
  return p >= in.begin && p < in.end && bytes <= static_cast<std::size_t>(in.end - p);
}

VariableRange Range(VariableKind kind) {
  const auto begin = reinterpret_cast<std::uintptr_t>(Of(kind).begin) & ~std::uintptr_t{15};
  return {reinterpret_cast<const char*>(begin),
          reinterpret_cast<std::uintptr_t>(Of(kind).end) - begin};
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

VariableRange DeviceVariables() { return Range(VariableKind::kDevice); }

VariableRange ManagedVariables() { return Range(VariableKind::kManaged); }

VariableRange ConstantVariables() { return Range(VariableKind::kConstant); }

bool IsDeviceVariable(const void* pointer, std::size_t bytes) {
  return Within(VariableKind::kDevice, pointer, bytes);
}

bool IsManagedVariable(const void* pointer, std::size_t bytes) {
  return Within(VariableKind::kManaged, pointer, bytes);
}

bool IsConstantVariable(const void* pointer, std::size_t bytes) {
  return Within(VariableKind::kConstant, pointer, bytes);
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

void cudasim_tell_variables(cudasim::VariableKind kind, const char* begin, const char* end) {
  if (begin == end) return;
  cudasim::Section& section = cudasim::sections[static_cast<int>(kind)];
  if (section.begin != nullptr) std::abort();
  section = {begin, end};
}
