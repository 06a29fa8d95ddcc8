#include "common/cudasim/profile/occupancy.h"

#include <algorithm>

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/memory/rounding.h"

namespace cudasim {

Occupancy OccupancyOf(std::uint64_t threads, std::uint64_t shared_bytes) {
  constexpr std::uint64_t kWarp = 32;
  constexpr std::uint64_t kSharedGranule = 128;
  constexpr std::uint64_t kWarps = kMaxResidentThreads / kWarp;
  const std::uint64_t warps = (threads + kWarp - 1) / kWarp;
  const std::uint64_t shared = RoundUp(shared_bytes, kSharedGranule) + kReservedSharedBytes;
  Occupancy result;
  result.limits = {{{"threads", kWarps / warps},
                    {"shared_memory", kMultiprocessorSharedBytes / shared},
                    {"blocks", kMaxResidentBlocks}}};
  const Occupancy::Limit& least = *std::min_element(
      result.limits.begin(), result.limits.end(),
      [](const Occupancy::Limit& a, const Occupancy::Limit& b) { return a.blocks < b.blocks; });
  result.limit = least.resource;
  result.resident_blocks = static_cast<unsigned>(least.blocks);
  result.fraction = static_cast<double>(least.blocks * warps) / kWarps;
  return result;
}

}  // namespace cudasim
