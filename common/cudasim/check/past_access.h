// What kernels of streams that have run did to device memory and variables, as their shadows tell.
#pragma once

#include <cstddef>
#include <string>

#include "common/cudasim/check/shadow.h"
#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

// An access of a kernel that has run.
struct PastAccess {
  const StreamOperation* operation = nullptr;  // null: none
  ShadowCell cell = 0;
};

// One to the bytes `mask` of a word that conflicts with an access now, by who knows `known`.  The
// caller holds the streams' mutex.
PastAccess FindPast(const Shadow& shadow, std::size_t word, unsigned mask, bool writes,
                    const StreamClock& known);

// The same for any word of a range; none outside device memory and variables.
PastAccess FindPast(const MemoryRange& range, const StreamClock& known);

// "reads at lab.cu:12", of a kernel.
std::string DidAt(ShadowCell cell);

}  // namespace cudasim
