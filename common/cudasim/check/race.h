// A data race: two conflicting accesses, neither of which happened before the other.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/instrument/access.h"

namespace cudasim {

struct Race {
  Access access;           // the later access
  ThreadId self;           // its thread
  ShadowCell earlier;      // the earlier access
  std::size_t word;        // in the memory's shadow
  bool shared;             // in shared memory
  bool in_flight = false;  // the earlier access is of an asynchronous copy that was not waited for
};

}  // namespace cudasim
