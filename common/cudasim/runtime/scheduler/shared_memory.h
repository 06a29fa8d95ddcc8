// The __shared__ variables of the program.
#pragma once

#include <cstddef>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

struct PlacedVariable {
  SharedVariable variable;
  unsigned offset;  // in the arena, bytes
};

// All of them, in ascending order of their offsets.  Complete when main() starts.
const std::vector<PlacedVariable>& SharedVariables();

// The last one that begins at or before the offset; null if there is none.
const PlacedVariable* NearestSharedVariable(std::size_t offset);

}  // namespace cudasim
