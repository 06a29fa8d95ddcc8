// Accesses by different threads to the same word that nothing orders.
#pragma once

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/shadow.h"

namespace cudasim {

// Compares the access of the current thread to the bytes `mask` of one word with the word's earlier
// accesses, reports a race, and remembers the access.
void CheckRace(const Access& access, Cell& cell, unsigned mask, bool shared);

}  // namespace cudasim
