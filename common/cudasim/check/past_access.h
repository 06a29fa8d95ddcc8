// Accesses of finished kernels to device memory and device variables, found in the shadow cells.
#pragma once

#include <cstddef>
#include <string>

#include "common/cudasim/check/shadow.h"
#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

// An access of a finished kernel.
struct PastAccess {
  const StreamOperation* operation = nullptr;  // null: none
  ShadowCell cell = 0;
};

// An access that is made now.
struct PresentAccess {
  bool writes;
  bool is_atomic;  // for the whole device
};

// A past access to the bytes `mask` of a word that conflicts with an access now and did not happen
// before the vector clock `known`.  Two atomic accesses do not conflict.  The caller holds the
// streams' mutex.
PastAccess FindPast(const Shadow& shadow, std::size_t word, unsigned mask, PresentAccess access,
                    const StreamClock& known);

// The same for any word of a range.  Finds none outside device memory and device variables.
PastAccess FindPast(const MemoryRange& range, const StreamClock& known);

// What the access in the cell, by a kernel launched there, does and where: "reads at lab.cu:12".
std::string DidAt(ShadowCell cell, const Site& launch);

}  // namespace cudasim
