// The shadows of device memory and of device variables.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow.h"

namespace cudasim {

Shadow& GlobalShadow();
Shadow& VariableShadow();

// To be called before the first access of a grid.
void PrepareGlobalShadow();

// Clears the accesses to device memory and device variables; which bytes are initialised stays.
void ForgetGlobalAccesses();

// Clears the cells of [begin, begin + bytes) and returns their pages to the system.
void DropGlobalShadow(const void* begin, std::size_t bytes);

}  // namespace cudasim
