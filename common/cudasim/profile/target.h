// Names the memory that instructions access.
#pragma once

#include <cstdint>

#include "common/cudasim/profile/kernel_profile.h"

namespace cudasim {

Target DescribeTarget(std::uint64_t address);

// From the begin of the variable in shared memory or of the allocation, in bytes; 0 if unknown.
std::uint64_t OffsetInAllocation(std::uint64_t address);

}  // namespace cudasim
