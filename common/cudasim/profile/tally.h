// The running launch's counts.  One OS thread runs all kernels in profile mode.
#pragma once

#include <array>
#include <cstdint>

#include "common/cudasim/profile/kernel_profile.h"
#include "common/cudasim/profile/sectors.h"

namespace cudasim {

extern KernelProfile* current_profile;
extern SectorSet launch_sectors;
// The most dependent loads of one warp, from global and from shared memory.
extern std::array<std::uint64_t, 2> launch_chains;
// The most atomic operations on global memory of one warp that needs their results.
extern std::uint64_t launch_atomic_chain;

}  // namespace cudasim
