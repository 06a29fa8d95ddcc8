// Descriptions of device addresses for reports.
#pragma once

#include <cstddef>
#include <string>

#include "common/cudasim/runtime/memory/heap.h"

namespace cudasim {

// "the 4000-byte allocation made at lab.cu:12", and where it was freed if it was.
std::string Describe(const Allocation& allocation);

// Where an access of `bytes` at `address` lies relative to its nearest allocation:
// "4 bytes past the end of the 4000-byte allocation made at lab.cu:12".
std::string DescribeOffset(const Allocation& allocation, const void* address, std::size_t bytes);

}  // namespace cudasim
