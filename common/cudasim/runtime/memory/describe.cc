#include "common/cudasim/runtime/memory/describe.h"

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

std::string Describe(const Allocation& allocation) {
  std::string text = "the " + std::to_string(allocation.bytes) + "-byte ";
  if (allocation.name.empty()) {
    text += "allocation made at " + Locate(allocation.allocated_at).ToString();
  } else {
    text += allocation.name;
  }
  if (allocation.freed) text += ", freed at " + Locate(allocation.freed_at).ToString();
  return text;
}

std::string DescribeOffset(const Allocation& allocation, const void* address, std::size_t bytes) {
  const std::ptrdiff_t offset = static_cast<const char*>(address) - allocation.begin;
  if (offset < 0) return Bytes(-offset) + " before the start of " + Describe(allocation);
  const auto begin = static_cast<std::size_t>(offset);
  if (begin >= allocation.bytes) {
    const std::size_t past = begin - allocation.bytes;
    const std::string distance = past == 0 ? "right" : Bytes(past);
    return distance + " past the end of " + Describe(allocation);
  }
  if (begin + bytes > allocation.bytes) {
    return Bytes(begin + bytes - allocation.bytes) + " too far, over the end of " +
           Describe(allocation);
  }
  return "byte " + std::to_string(begin) + " of " + Describe(allocation);
}

}  // namespace cudasim
