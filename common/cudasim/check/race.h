// Two accesses that race.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/instrument/access.h"

namespace cudasim {

// An access, and an earlier one that nothing orders with it.
struct Race {
  Access access;
  ThreadId self;
  ShadowCell earlier;
  std::size_t word;
  bool shared;  // shared memory
};

}  // namespace cudasim
