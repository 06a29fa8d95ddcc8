#include "common/cudasim/profile/estimate.h"

#include <algorithm>

#include "common/cudasim/profile/kernel_totals.h"
#include "common/cudasim/profile/occupancy.h"
#include "common/cudasim/runtime/device/device.h"

namespace cudasim {
namespace {

// Limits of an NVIDIA H100 80GB HBM3, for each clock cycle at its boost clock.
constexpr double kClockHz = 1.98e9;               // cudaDeviceProp::clockRate
constexpr double kDramBytesPerSecond = 3.352e12;  // H100 datasheet: 3.35 TB/s
constexpr double kDramBytes = kDramBytesPerSecond / kClockHz;
// Assumed for each multiprocessor: 64 bytes from the L2 cache, one wavefront of shared memory (32
// banks of 4 bytes), one memory instruction of a warp.  Not measured here.
constexpr double kSectorsOfMultiprocessor = 2;
constexpr double kWavefrontsOfMultiprocessor = 1;
constexpr double kMemoryInstructionsOfMultiprocessor = 1;
constexpr double kInstructionsOfMultiprocessor = 4;  // one for each of four schedulers

}  // namespace

Estimate EstimateOf(const KernelProfile& profile, const KernelTotals& totals) {
  const double used = static_cast<double>(std::min<std::uint64_t>(
      kMultiprocessors, std::max<std::uint64_t>(1, profile.thread_blocks())));
  const LineCounts all = totals.All();
  const LineCounts& global_atomics = totals.Of(LineKind::kGlobalAtomic);
  const LineCounts& shared_atomics = totals.Of(LineKind::kSharedAtomic);
  const double moved = static_cast<double>(kSectorBytes) *
                       static_cast<double>(profile.read_sectors + profile.written_sectors);
  const double memory = std::max(
      moved / kDramBytes, static_cast<double>(all.sectors) / kSectorsOfMultiprocessor / used);
  const double shared = static_cast<double>(all.wavefronts - shared_atomics.wavefronts) /
                        kWavefrontsOfMultiprocessor / used;
  const double atomics =
      static_cast<double>(shared_atomics.wavefronts + global_atomics.contended) / used;
  const double instructions =
      std::max(
          static_cast<double>(all.requests) / kMemoryInstructionsOfMultiprocessor,
          static_cast<double>(all.requests + totals.block_runs) / kInstructionsOfMultiprocessor) /
      used;
  Estimate estimate{"memory", memory};
  const auto consider = [&](const char* bound, double cycles) {
    if (cycles > estimate.cycles) estimate = {bound, cycles};
  };
  consider("shared_memory", shared);
  consider("atomics", atomics);
  consider("instructions", instructions);
  return estimate;
}

}  // namespace cudasim
