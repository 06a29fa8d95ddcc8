// The shadows of device memory and of __device__, __managed__ and __constant__ variables.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow.h"

namespace cudasim {

struct ShadowPlace {
  Shadow* shadow;
  std::size_t offset;  // in the memory that the shadow describes, in bytes
};

Shadow& GlobalShadow();

// Where the shadow of such variables describes [begin, begin + bytes); no shadow if there are none.
ShadowPlace FindVariableShadow(const char* begin, std::size_t bytes);

// To be called before the first access of a grid.
void PrepareGlobalShadow();

// Clears the accesses to device memory and variables; which bytes are initialised stays.
void ForgetGlobalAccesses();

// Clears the cells of [begin, begin + bytes) and returns their pages to the system.
void DropGlobalShadow(const void* begin, std::size_t bytes);

}  // namespace cudasim
