// The running launch's counts.  One OS thread runs all kernels in profile mode.
#pragma once

#include "common/cudasim/profile/kernel_profile.h"
#include "common/cudasim/profile/sectors.h"

namespace cudasim {

extern KernelProfile* current_profile;
extern SectorSet launch_sectors;

}  // namespace cudasim
