#include "common/cudasim/runtime/memory/registered_memory.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace cudasim {
namespace {

struct Range {
  const char* begin;
  std::size_t bytes;
};

struct Registered {
  std::mutex mutex;
  std::vector<Range> ranges;
};

Registered& AllRegistered() {
  static auto* const registered = new Registered;
  return *registered;
}

// Most programs register nothing, and check mode asks often.
std::atomic<bool> any{false};

}  // namespace

bool RegisterMemory(const void* begin, std::size_t bytes) {
  const auto* const first = static_cast<const char*>(begin);
  const std::lock_guard lock(AllRegistered().mutex);
  for (const Range& range : AllRegistered().ranges) {
    if (first < range.begin + range.bytes && range.begin < first + bytes) return false;
  }
  AllRegistered().ranges.push_back({first, bytes});
  any = true;
  return true;
}

bool UnregisterMemory(const void* begin) {
  const std::lock_guard lock(AllRegistered().mutex);
  return std::erase_if(AllRegistered().ranges,
                       [&](const Range& range) { return range.begin == begin; }) > 0;
}

bool IsRegisteredMemory(const void* address, std::size_t bytes) {
  if (!any.load(std::memory_order_relaxed)) return false;
  const auto* const at = static_cast<const char*>(address);
  const std::lock_guard lock(AllRegistered().mutex);
  return std::any_of(AllRegistered().ranges.begin(), AllRegistered().ranges.end(),
                     [&](const Range& range) {
                       return at >= range.begin && at + bytes <= range.begin + range.bytes;
                     });
}

}  // namespace cudasim
