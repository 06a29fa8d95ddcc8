// The shadow of device memory.
#pragma once

#include <cstddef>

namespace cudasim {

// Forgets all accesses to [begin, begin + bytes) and gives the shadow's pages back.
void DropGlobalCells(const void* begin, std::size_t bytes);

}  // namespace cudasim
