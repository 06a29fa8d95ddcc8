// Names the memory that instructions access.
#pragma once

#include <cstdint>

#include "common/cudasim/profile/kernel_profile.h"

namespace cudasim {

Target DescribeTarget(std::uint64_t address);

}  // namespace cudasim
