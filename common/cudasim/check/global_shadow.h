// The shadow of device memory.
#pragma once

#include <cstddef>

namespace cudasim {

// Before the first grid.
void PrepareGlobalShadow();

// Forgets all accesses to [begin, begin + bytes) and gives the shadow's pages back.
void DropGlobalShadow(const void* begin, std::size_t bytes);

}  // namespace cudasim
