#include "common/cudasim/profile/occupancy.h"

#include "common/cudasim/runtime/device/device.h"
#include "common/cudasim/runtime/memory/rounding.h"

namespace cudasim {

Occupancy OccupancyOf(std::uint64_t threads, std::uint64_t shared_bytes) {
  constexpr std::uint64_t kWarp = 32;
  constexpr std::uint64_t kSharedGranule = 128;
  constexpr std::uint64_t kWarps = kMaxResidentThreads / kWarp;
  const std::uint64_t warps = (threads + kWarp - 1) / kWarp;
  const std::uint64_t shared = RoundUp(shared_bytes, kSharedGranule) + kReservedSharedBytes;
  const std::uint64_t by_threads = kWarps / warps;
  const std::uint64_t by_shared = kMultiprocessorSharedBytes / shared;
  Occupancy result;
  std::uint64_t blocks = by_threads;
  result.limit = "threads";
  if (by_shared < blocks) {
    blocks = by_shared;
    result.limit = "shared_memory";
  }
  if (kMaxResidentBlocks < blocks) {
    blocks = kMaxResidentBlocks;
    result.limit = "blocks";
  }
  result.resident_blocks = static_cast<unsigned>(blocks);
  result.fraction = static_cast<double>(blocks * warps) / kWarps;
  return result;
}

}  // namespace cudasim
