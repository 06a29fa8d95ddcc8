// The shadows of device memory and of device variables.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow.h"

namespace cudasim {

Shadow& GlobalShadow();
Shadow& VariableShadow();

// Before the first grid.
void PrepareGlobalShadow();

// Forgets who accessed what, device variables included; not what is initialised.
void ForgetGlobalAccesses();

// Forgets all accesses to [begin, begin + bytes) and gives the shadow's pages back.
void DropGlobalShadow(const void* begin, std::size_t bytes);

}  // namespace cudasim
